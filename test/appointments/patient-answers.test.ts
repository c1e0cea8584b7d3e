import { expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { suiteApi } from '../support/servers/api-server.ts';
import { book, inHours } from '../support/clinic.ts';

const api = await suiteApi();

const NPS = { score: 9, comment: 'Muito simpáticos.' };
const TRIAGE = { answers: { pain: 'since Monday' } };

const KINDS = [
  {
    path: '/v1/nps-responses',
    type: 'nps.submitted',
    answer: NPS,
    other: { ...NPS, score: 2 },
    field: 'body.score',
  },
  {
    path: '/v1/triage-forms',
    type: 'triage.submitted',
    answer: TRIAGE,
    other: { answers: {} },
    field: 'body.answers',
  },
];

test.each(KINDS)('$path twice at once is one answer with one event', async ({ path, type, answer }) => {
  const { id: appointmentId } = await book(api.database, api.clinic, { startsAt: inHours(24) });
  const twins = [1, 2, 3, 4].map(() => api.client.post(path, { ...answer, appointmentId }));
  const answers = await Promise.all(twins);
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  const events = await api.client.get(`/v1/webhook-events?type=${type}&appointmentId=${appointmentId}`);
  expect(events.body['items']).toHaveLength(1);
  await api.client.delete(`/v1/appointments/${appointmentId}`);
});

test.each(KINDS)('$path cannot be answered otherwise afterwards', async ({ path, answer, other, field }) => {
  const { id: appointmentId } = await book(api.database, api.clinic, { startsAt: inHours(48) });
  await api.client.post(path, { ...answer, appointmentId });
  const again = await api.client.post(path, { ...other, appointmentId });
  expect([again.status, again.body['error']]).toEqual([409, 'external_id_conflict']);
  expect(again.body['errors']).toMatchObject([{ path: field }]);
  await api.client.delete(`/v1/appointments/${appointmentId}`);
});

test.each(KINDS)('$path for an appointment of no one is refused', async ({ path, answer }) => {
  const refused = await api.client.post(path, { ...answer, appointmentId: uuidv7() });
  expect([refused.status, refused.body['error']]).toEqual([422, 'validation_failed']);
  expect(refused.body['errors']).toMatchObject([{ path: 'body.appointmentId' }]);
});
