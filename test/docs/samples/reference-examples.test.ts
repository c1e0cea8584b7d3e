import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeFirstClinic } from '../../../dev/first-clinic/make-first-clinic.ts';
import { startTestApi, type TestApi } from '../../support/servers/api-server.ts';
import { asSentBy, story, takeNote, type Reader } from './story.ts';

let api: TestApi;
let key: string;
let reader: Reader;

beforeAll(async () => {
  api = await startTestApi();
  const clinic = await api.database.write((em) => makeFirstClinic(em, { mode: 'test', now: new Date() }));
  key = clinic.key;
  reader = {
    ids: new Map(),
    receiverUrl: 'https://receiver.test/hook',
    recordingTarget: '',
    read: async () => ({}),
  };
});
afterAll(() => api.stop());

// What waits for a worker is in the long test, which runs the samples as programs too.
test.each(story().filter(({ awaits }) => !awaits))(
  'the demo clinic answers the example $name',
  async ({ example }) => {
    const { method, target, isKeyed, body, file } = asSentBy(reader, example);
    const answer = await fetch(api.url + target, {
      method,
      headers: {
        ...(isKeyed && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(file !== undefined && { 'content-type': file }),
      },
      body: file === undefined ? JSON.stringify(body) : 'RIFF',
    });
    const text = await answer.text();
    expect([answer.ok, text]).toEqual([true, text]);
    if (example.answersJson) takeNote(reader, target, JSON.parse(text));
  },
);
