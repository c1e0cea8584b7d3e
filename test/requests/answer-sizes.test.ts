import { beforeAll, describe, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { aSpeech, aStartedCall } from '../calls/call-builders.ts';
import { appointmentsIn, createApiClient, type ApiAnswer, type ApiClient } from '../support/api-client.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { aClinic, anEndpoint, book, bookingBody, inHours, type TestClinic } from '../support/clinic.ts';
import { storeAppointments, storedAppointments } from '../support/stored/stored-appointments.ts';
import { anEventFor, attempted } from '../webhooks/recorded-attempts.ts';

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const PHONE = '+351912345678';

const api = await suiteApi();

async function clientOf({ tenantId }: TestClinic): Promise<ApiClient> {
  return createApiClient(api.url, await api.keyOf({ tenantId }));
}

/** A thousand appointments of one patient, each with as much metadata as it may have; a booking through the API has the hash. */
async function aLadenClinic(): Promise<{ client: ApiClient; hash: string }> {
  const clinic = await aClinic(api.database);
  const client = await clientOf(clinic);
  const first = await client.post(
    '/v1/appointments',
    bookingBody(clinic, inHours(24), { patientPhone: PHONE }),
  );
  const [booked] = await storedAppointments(api.database, { tenantId: clinic.tenantId });
  if (!booked) throw new Error('nothing was booked');
  const later = (at: Date, hours: number) => new Date(at.getTime() + hours * 3_600_000);
  const others = Array.from({ length: 999 }, (_, nr) => ({
    ...booked,
    id: uuidv7(),
    patientName: 'Ana Sousa',
    startsAt: later(booked.startsAt, nr + 1),
    endsAt: later(booked.endsAt, nr + 1),
    blockFrom: later(booked.blockFrom, nr + 1),
    blockUntil: later(booked.blockUntil, nr + 1),
    metadata: { plan: 'x'.repeat(15_000) },
  }));
  await storeAppointments(api.database, clinic, others);
  return { client, hash: String(first.body['patientPhoneHash']) };
}

type Ask = (cursor: string | null) => Promise<ApiAnswer>;

/** Goes through every page; none may be larger than an answer may be. */
async function pagesOf(ask: Ask): Promise<Record<string, unknown>[][]> {
  const pages: Record<string, unknown>[][] = [];
  let cursor: string | null = null;
  do {
    const page: ApiAnswer = await ask(cursor);
    expect(Buffer.byteLength(page.text)).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
    pages.push(page.body['items'] as Record<string, unknown>[]);
    cursor = page.body['nextCursor'] as string | null;
    expect(page.body['hasMore']).toBe(cursor !== null);
  } while (cursor);
  return pages;
}

describe('a thousand appointments with 15 KB of metadata each', () => {
  let client: ApiClient;
  beforeAll(async () => {
    ({ client } = await aLadenClinic());
  });

  test.each<[string, (cursor: string | null) => Promise<ApiAnswer>]>([
    ['by start', (cursor) => client.get('/v1/appointments', cursor ? { cursor } : {})],
    [
      'by change',
      (cursor) =>
        client.get('/v1/appointments', { updatedSince: '2020-01-01T00:00:00Z', ...(cursor && { cursor }) }),
    ],
    [
      'of one patient',
      (cursor) =>
        client.post('/v1/appointments/search', { patientPhone: PHONE, ...(cursor !== null && { cursor }) }),
    ],
  ])('come %s in pages of 4 MiB, all of them, each once', async (_name, ask) => {
    const pages = await pagesOf(ask);
    // By the sealed length, which is a third more.
    expect(pages.length).toBeGreaterThanOrEqual(5);
    expect(pages.length).toBeLessThanOrEqual(6);
    expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(1000);
    expect(pages.flat()).toHaveLength(1000);
  });
});

test('a search tells that it goes on, and goes on', async () => {
  const clinic = await aClinic(api.database);
  const client = await clientOf(clinic);
  for (const hours of [24, 25, 26]) {
    const booking = bookingBody(clinic, inHours(hours), { patientPhone: PHONE });
    expect((await client.post('/v1/appointments', booking)).status).toBe(201);
  }
  const search = { patientPhone: PHONE, limit: 2 };
  const first = await client.post('/v1/appointments/search', search);
  expect([appointmentsIn(first).length, first.body['hasMore']]).toEqual([2, true]);
  const rest = await client.post('/v1/appointments/search', { ...search, cursor: first.body['nextCursor'] });
  expect([appointmentsIn(rest).length, rest.body['hasMore']]).toEqual([1, false]);
  const wrong = await client.post('/v1/appointments/search', { ...search, cursor: 'eyJ9' });
  expect([wrong.status, wrong.body['errors']]).toMatchObject([422, [{ path: 'body.cursor' }]]);
});

test('a month of free slots comes a thousand at a time, in order, none missing and none twice', async () => {
  const service = { durationMinutes: 20, bufferMinutes: 0 };
  const clinic = await aClinic(api.database, { professionals: 2, service });
  await book(api.database, clinic, { startsAt: inHours(48) });
  const client = await clientOf(clinic);
  const [from, to] = [inHours(24), inHours(24 + 20 * 24)];
  const question = { serviceTypeId: clinic.serviceTypeId, from: from.toISOString(), to: to.toISOString() };
  const pages = await pagesOf((cursor) =>
    client.get('/v1/availability', { ...question, ...(cursor && { cursor }) }),
  );
  expect(pages.map((page) => page.length)).toEqual([1000, 1000, 879]);
  const order = pages
    .flat()
    .map(({ startsAt, professionalId }) => `${String(startsAt)} ${String(professionalId)}`);
  expect(order).toEqual([...new Set(order)].sort());
});

test('a page of free slots of a clinic with fifty professionals and slots of a minute is computed at once', async () => {
  const service = { durationMinutes: 1, bufferMinutes: 0 };
  const clinic = await aClinic(api.database, { professionals: 50, service });
  const client = await clientOf(clinic);
  const [from, to] = [inHours(24), inHours(24 + 31 * 24)];
  const question = { serviceTypeId: clinic.serviceTypeId, from: from.toISOString(), to: to.toISOString() };
  const page = await client.get('/v1/availability', question);
  expect(page.body['items']).toHaveLength(1000);
  expect(page.body['hasMore']).toBe(true);
});

describe('a call', () => {
  function append(id: string, events: unknown[]): Promise<ApiAnswer> {
    return api.client.post(`/v1/calls/${id}/events`, { events });
  }
  const speeches = (from: number, count: number, transcript = 'Sim') =>
    Array.from({ length: count }, (_, n) => aSpeech(from + n, { transcript }));

  test('holds 2,000 events and refuses the next, but not a repeat', async () => {
    const id = await aStartedCall(api.client);
    for (const from of [0, 500, 1000, 1500]) expect((await append(id, speeches(from, 500))).status).toBe(201);
    const refused = await append(id, speeches(1999, 2));
    expect([refused.status, refused.body['error']]).toEqual([409, 'call_limit_reached']);
    expect((await append(id, speeches(1500, 500))).status).toBe(200);
    expect((await api.client.get(`/v1/calls/${id}`)).body['events']).toHaveLength(2000);
  });

  test('holds 4 MiB of events and refuses what goes beyond', async () => {
    const id = await aStartedCall(api.client);
    const long = 'é'.repeat(99_000);
    for (let n = 0; n < 21; n += 1)
      expect((await append(id, [aSpeech(n, { transcript: long })])).status).toBe(201);
    const refused = await append(id, [aSpeech(21, { transcript: long })]);
    expect([refused.status, refused.body['error']]).toEqual([409, 'call_limit_reached']);
    expect((await append(id, [aSpeech(22)])).status).toBe(201);
  });

  test('is not filled beyond its limit by two writers at once', async () => {
    const id = await aStartedCall(api.client);
    for (const from of [0, 500, 1000]) await append(id, speeches(from, 500));
    const answers = await Promise.all([append(id, speeches(1500, 400)), append(id, speeches(1900, 400))]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 409]));
  });
});

test('what receivers answered stands in a delivery’s own detail only', async () => {
  const { tenantId } = await aClinic(api.database);
  const place = { tenantId, endpointId: await anEndpoint(api.database, tenantId) };
  const client = createApiClient(api.url, await api.keyOf({ tenantId }));
  const delivery = await anEventFor(api.database, place);
  await attempted(api.database, delivery, { number: 1, status: 503 });
  const excerpt = 'Wartung '.repeat(2000);
  await api.database
    .em()
    .execute('UPDATE webhook_attempt SET response_excerpt = ? WHERE delivery_id = ?', [excerpt, delivery.id]);
  const list = await client.get('/v1/webhook-deliveries');
  const event = await client.get(`/v1/webhook-events/${delivery.eventId}`);
  for (const { text, body } of [list, event]) {
    expect(text).not.toContain('Wartung');
    expect(body['items'] ?? body['deliveries']).toMatchObject([
      { endpointUrl: 'https://receiver.example/hook', attempts: [{ number: 1, responseStatus: 503 }] },
    ]);
  }
  const detail = await client.get(`/v1/webhook-deliveries/${delivery.id}`);
  expect(detail.body).toMatchObject({ attempts: [{ number: 1, responseExcerpt: excerpt }] });
});

test('metadata counts as it is stored, so numbers with an exponent cannot make it grow', async () => {
  const booking = bookingBody(api.clinic, inHours(30));
  const metadata = { numbers: Array.from({ length: 100 }, () => 1e300) };
  const refused = await api.client.post('/v1/appointments', { ...booking, metadata });
  expect([refused.status, refused.body['errors']]).toMatchObject([422, [{ path: 'body.metadata' }]]);
  const taken = await api.client.post('/v1/appointments', { ...booking, metadata: { number: 1e300 } });
  expect(taken.body['metadata']).toEqual({ number: 1e300 });
});
