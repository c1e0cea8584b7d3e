import { expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { callSchema } from '../../api/calls/call-schemas.contract.ts';
import type { CallEvidence } from '../../domain/calls/call-evidence.ts';
import { createApiClient, wrongPathsIn } from '../support/api-client.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { aClinic } from '../support/clinic.ts';
import { dump } from '../support/stored/stored-texts.ts';
import { until } from '../support/until.ts';
import { storedEvents } from '../support/stored/stored-events.ts';
import { aCallBody, aSpeech, aStartedCall } from './call-builders.ts';
import { AUDIO, linkTo, open, uploadTo } from './recording-builders.ts';

const api = await suiteApi();
const { client } = api;

type Sent = { [Field in keyof CallEvidence]: string };

const EVIDENCE: Sent = {
  aiDisclosedAt: '2026-03-02T09:30:02.000Z',
  recordingConsent: 'given',
  language: 'pt-PT',
  summary: 'Marcou uma limpeza.',
};
const OTHERS: Sent = {
  aiDisclosedAt: '2026-03-02T09:30:03.000Z',
  recordingConsent: 'not_asked',
  language: 'en',
  summary: 'Desmarcou.',
};
const NONE = { aiDisclosedAt: null, recordingConsent: null, language: null, summary: null };
const FIELDS = Object.keys(EVIDENCE) as (keyof Sent)[];
const END = { endedAt: '2026-03-02T09:32:24.500Z', outcome: 'booking_created' };

const start = (id: string, evidence: Record<string, unknown> = {}) =>
  client.send('PUT', `/v1/calls/${id}`, { body: aCallBody(evidence) });
const complete = (id: string, evidence: Record<string, unknown> = {}) =>
  client.post(`/v1/calls/${id}/complete`, { ...END, ...evidence });
const detailOf = async (id: string) => (await client.get(`/v1/calls/${id}`)).body['call'];

/** Requests that may bring evidence, each for a call in another state. */
const WAYS: Record<
  string,
  { before: (id: string, evidence: Record<string, unknown>) => Promise<unknown>; send: typeof start }
> = {
  'a repeated start': { before: start, send: start },
  'the end': { before: start, send: complete },
  'a repeated end': {
    before: async (id, evidence) => {
      await start(id);
      await complete(id, evidence);
    },
    send: complete,
  },
};
const CASES = Object.entries(WAYS).flatMap(([way, { before, send }]) =>
  FIELDS.map((field) => ({ way, before, send, field })),
);

test('evidence of the start is in the detail, and nowhere else', async () => {
  const id = uuidv7();
  const started = await start(id, EVIDENCE);
  expect([started.status, Object.keys(started.body)]).toEqual([201, Object.keys(callSchema.shape)]);
  expect(await detailOf(id)).toMatchObject(EVIDENCE);
  const completed = await complete(id);
  expect(Object.keys(completed.body)).toEqual(Object.keys(callSchema.shape));
  expect(await detailOf(id)).toMatchObject(EVIDENCE);
  await uploadTo(client, id);
  const events = await storedEvents(api.database, { tenantId: api.clinic.tenantId });
  const ofCall = events.filter(({ body }) => body?.includes(id));
  expect(ofCall).toHaveLength(3);
  for (const { body } of ofCall)
    for (const word of [...FIELDS, 'limpeza', 'speaker']) expect(body).not.toContain(word);
  expect(await dump(api.database)).not.toContain('limpeza');
  expect(api.log.join('\n')).not.toContain('limpeza');
});

test('a call without evidence has null in each field, and null or empty evidence is none', async () => {
  const id = uuidv7();
  await start(id, { ...NONE, summary: '' });
  expect(await detailOf(id)).toMatchObject(NONE);
  expect(await start(id, EVIDENCE)).toMatchObject({ status: 200 });
  expect(await start(id, NONE)).toMatchObject({ status: 200 });
  expect(await start(id)).toMatchObject({ status: 200 });
  expect(await detailOf(id)).toMatchObject(EVIDENCE);
});

test.each(CASES)(
  '$way adds $field while it is null, and cannot change it',
  async ({ before, send, field }) => {
    const id = uuidv7();
    await before(id, {});
    const added = await send(id, { [field]: EVIDENCE[field] });
    expect([200, 201]).toContain(added.status);
    expect(await detailOf(id)).toMatchObject({ ...NONE, [field]: EVIDENCE[field] });
    expect((await send(id, { [field]: EVIDENCE[field] })).status).toBe(200);

    const other = uuidv7();
    await before(other, EVIDENCE);
    const refused = await send(other, { ...EVIDENCE, [field]: OTHERS[field] });
    expect(refused).toMatchObject({ status: 409, body: { error: 'external_id_conflict' } });
    expect(wrongPathsIn(refused)).toEqual([`body.${field}`]);
    expect(refused.text).not.toContain(OTHERS.summary);
    expect(await detailOf(other)).toMatchObject(EVIDENCE);
  },
);

test('a refused end changes nothing', async () => {
  const id = uuidv7();
  await start(id, { language: 'pt-PT' });
  const answer = await complete(id, { language: 'en', summary: 'Marcou.' });
  expect(answer.status).toBe(409);
  expect(await detailOf(id)).toMatchObject({ status: 'in_progress', summary: null, language: 'pt-PT' });
});

test('a repeat that differs and adds is refused whole', async () => {
  const id = uuidv7();
  await start(id);
  const answer = await start(id, { telephonyCallControlId: 'v3:other', summary: 'Marcou.' });
  expect(wrongPathsIn(answer)).toEqual(['body.telephonyCallControlId']);
  expect(await detailOf(id)).toMatchObject({ summary: null });
});

test.each(Object.entries(WAYS))(
  'with %s a caller may refuse after agreeing: the recording and its links are erased',
  async (_way, { before, send }) => {
    for (const recordingConsent of ['given', 'not_asked', null]) {
      const id = uuidv7();
      await before(id, { recordingConsent });
      expect((await uploadTo(client, id)).status).toBe(201);
      const link = await linkTo(client, id);
      expect((await open(api, link)).status).toBe(200);
      const answer = await send(id, { recordingConsent: 'refused' });
      expect([200, 201]).toContain(answer.status);
      expect(await detailOf(id)).toMatchObject({ recordingConsent: 'refused', recordingUrl: null });
      expect((await open(api, link)).status).toBe(404);
      for (const replace of ['', '?replace=true']) {
        const upload = await client.send('PUT', `/v1/calls/${id}/recording${replace}`, {
          rawBody: 'audio',
          headers: { 'content-type': 'audio/wav' },
        });
        expect(upload).toMatchObject({ status: 409, body: { error: 'recording_refused' } });
      }
      expect((await send(id, { recordingConsent: 'refused' })).status).toBe(200);
      expect(wrongPathsIn(await send(id, { recordingConsent: 'given' }))).toEqual(['body.recordingConsent']);
    }
  },
);

test('a caller who refuses during an upload leaves no recording', async () => {
  const id = await aStartedCall(client, { recordingConsent: 'given' });
  const planned = () =>
    api.database.em().execute('SELECT FROM recording_removal WHERE tenant_id = ?', [api.clinic.tenantId]);
  const before = (await planned()).length;
  const { promise: refused, resolve: goOn } = Promise.withResolvers<void>();
  const pieces = [AUDIO.subarray(0, 1000), AUDIO.subarray(1000)];
  const audio = new ReadableStream({
    async pull(controller) {
      const piece = pieces.shift();
      if (!piece) return controller.close();
      if (pieces.length === 0) await refused;
      controller.enqueue(new Uint8Array(piece));
    },
  });
  const uploading = uploadTo(client, id, { audio });
  await until('the upload to begin', async () => (await planned()).length > before);
  expect((await start(id, { recordingConsent: 'refused' })).status).toBe(200);
  goOn();
  expect(await uploading).toMatchObject({ status: 409, body: { error: 'recording_refused' } });
  expect(await planned()).toHaveLength(before);
  expect(await detailOf(id)).toMatchObject({ recordingUrl: null });
});

test('evidence that is no date, consent, language or too long is refused', async () => {
  for (const [field, values] of Object.entries({
    aiDisclosedAt: ['2026-03-02T09:30:02', 'yes', true],
    recordingConsent: ['yes', 'GIVEN', ''],
    language: ['pt_PT', 'português', '', 'x', 'en-x', `en-${'abcdefgh-'.repeat(4)}`],
    summary: ['a'.repeat(2001), 5],
  }))
    for (const value of values)
      expect([field, value, wrongPathsIn(await start(uuidv7(), { [field]: value }))]).toEqual([
        field,
        value,
        [`body.${field}`],
      ]);
});

test('a language is one however its letters are written', async () => {
  const id = uuidv7();
  await start(id, { language: 'pt-pt' });
  expect(await detailOf(id)).toMatchObject({ language: 'pt-PT' });
  expect((await start(id, { language: 'PT-PT' })).status).toBe(200);
});

test('events say who spoke, if they were told', async () => {
  const id = await aStartedCall(client);
  const path = `/v1/calls/${id}/events`;
  const events = [
    aSpeech(0),
    ...['caller', 'assistant', 'human'].map((speaker, at) => aSpeech(at + 1, { speaker })),
  ];
  expect((await client.post(path, { events })).status).toBe(201);
  expect((await client.post(path, { events })).status).toBe(200);
  const { body } = await client.get(`/v1/calls/${id}`);
  expect((body['events'] as { speaker: unknown }[]).map(({ speaker }) => speaker)).toEqual([
    null,
    'caller',
    'assistant',
    'human',
  ]);
  const other = await client.post(path, { events: [aSpeech(1, { speaker: 'human' })] });
  expect(wrongPathsIn(other)).toEqual(['body.events.0.speaker']);
  expect((await client.post(path, { events: [aSpeech(9, { speaker: 'robot' })] })).status).toBe(422);
});

test('a key that only writes calls is told no evidence', async () => {
  const { tenantId } = await aClinic(api.database);
  const writer = createApiClient(api.url, await api.keyOf({ tenantId, scopes: ['calls:write'] }));
  const answer = await writer.send('PUT', `/v1/calls/${uuidv7()}`, { body: aCallBody(EVIDENCE) });
  expect(answer.status).toBe(201);
  expect(answer.text).not.toContain('limpeza');
});
