import { expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { listPatientReads } from '../../db/patient-reads/patient-reads.ts';
import { aSpeech, aStartedCall } from '../calls/call-builders.ts';
import { appointmentIn, createApiClient, type ApiAnswer, type ApiClient } from '../support/api-client.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { anEndpoint, bookingBody, inHours } from '../support/clinic.ts';
import { until } from '../support/until.ts';

const PHONE = '+351961112223';

const api = await suiteApi();
const { client, clinic, database } = api;
await anEndpoint(database, clinic.tenantId);
const details = { patientName: 'Zulmira Zorro', patientPhone: PHONE };
const appointmentId = appointmentIn(
  await client.post('/v1/appointments', bookingBody(clinic, inHours(30), details), {}),
).id;
const callId = await aStartedCall(client, { fromNumber: PHONE });
await client.post(
  `/v1/calls/${callId}/events`,
  { events: [aSpeech(0, {})] },
  { 'idempotency-key': uuidv7() },
);
const events = await client.get('/v1/webhook-events', { appointmentId });
const eventId = (events.body['items'] as { id: string }[])[0]?.id ?? '';

/** A key that has read nothing yet, and what is written down of it. */
async function aReader() {
  const client = createApiClient(api.url, await api.keyOf());
  const actor = `key:${String((await client.get('/v1/api-keys/me')).body['id'])}`;
  const { tenantId } = api.clinic;
  const written = () => listPatientReads(api.database.em(), { tenantId, actor });
  return { client, written };
}

const requestIdOf = ({ headers }: ApiAnswer) => headers.get('x-request-id');

test.each<[string, string, () => string, (client: ApiClient) => Promise<ApiAnswer>]>([
  [
    'an appointment',
    'appointment',
    () => appointmentId,
    (client) => client.get(`/v1/appointments/${appointmentId}`),
  ],
  ['a list', 'appointment', () => appointmentId, (client) => client.get('/v1/appointments')],
  [
    'a patient’s appointments',
    'appointment',
    () => appointmentId,
    (client) => client.post('/v1/appointments/search', { patientPhone: PHONE }),
  ],
  ['calls', 'call', () => callId, (client) => client.get('/v1/calls')],
  ['what was said', 'transcript', () => callId, (client) => client.get(`/v1/calls/${callId}`)],
  ['a briefing', 'appointment', () => appointmentId, (client) => client.get(`/v1/calls/${callId}/briefing`)],
  ['an event', 'event', () => appointmentId, (client) => client.get(`/v1/webhook-events/${eventId}`)],
])('a key that reads %s is written down, with the request', async (_, kind, id, ask) => {
  const { client, written } = await aReader();
  const answer = await ask(client);
  expect(answer.status).toBe(200);
  const [entry] = await until('the entry', async () => {
    const entries = await written();
    return entries.length > 0 && entries;
  });
  expect(entry).toMatchObject({ kind, requestIds: [requestIdOf(answer)] });
  expect(entry?.subjectIds).toContain(id());
});

test('an agent that finds appointments is written down as its key', async () => {
  const { client, written } = await aReader();
  const call = { name: 'find_appointments', arguments: { patientPhone: PHONE } };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call };
  expect((await client.post('/mcp', message, { accept: 'application/json, text/event-stream' })).status).toBe(
    200,
  );
  const [entry] = await until('the entry', async () => {
    const entries = await written();
    return entries.length > 0 && entries;
  });
  expect(entry?.subjectIds).toEqual([appointmentId]);
});

test('a key that reads the same list all day is written down once, and one that finds nothing not at all', async () => {
  const { client, written } = await aReader();
  const first = await client.get('/v1/appointments');
  for (let times = 0; times < 5; times += 1) await client.get('/v1/appointments');
  await client.get(`/v1/appointments/${uuidv7()}`);
  await client.get('/v1/appointments', { externalId: 'of-nobody' });
  const booked = await client.post(
    '/v1/appointments',
    bookingBody(api.clinic, inHours(50), { patientName: 'Zora Z', patientPhone: PHONE }),
    {},
  );
  await client.get(`/v1/appointments/${appointmentIn(booked).id}`);
  const entries = await until('both entries', async () => {
    const found = await written();
    return found.flatMap(({ subjectIds }) => subjectIds).length >= 2 && found;
  });
  const requests = entries.toReversed().flatMap(({ requestIds }) => requestIds);
  expect(requests).toEqual([requestIdOf(first), requestIdOf(booked)]);
});

test('nothing of a patient but ids stands in the log', async () => {
  const rows = await api.database.em().execute<object[]>('SELECT * FROM patient_read');
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toMatch(/Zulmira|Zora|961112223/);
});
