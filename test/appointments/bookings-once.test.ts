import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { AppointmentEntity } from '../../db/entities/appointment.entity.ts';
import { WebhookEventEntity } from '../../db/entities/webhook-event.entity.ts';
import { appointmentIn, createApiClient, type ApiAnswer, type ApiClient } from '../support/api-client.ts';
import { startTestApi, type TestApi } from '../support/servers/api-server.ts';
import { aClinic, bookingBody, inHours, type TestClinic } from '../support/clinic.ts';

const CLINICS = 3;

interface Vendor {
  clinic: TestClinic;
  client: ApiClient;
}

let api: TestApi;
let vendors: Vendor[];
beforeAll(async () => {
  api = await startTestApi();
  vendors = await Promise.all(Array.from({ length: CLINICS }, aVendor));
});
afterAll(() => api.stop());

async function aVendor(): Promise<Vendor> {
  const clinic = await aClinic(api.database, { professionals: 2 });
  return { clinic, client: createApiClient(api.url, await api.keyOf({ tenantId: clinic.tenantId })) };
}

function book({ client }: Vendor, key: string, body: unknown): Promise<ApiAnswer> {
  return client.post('/v1/appointments', body, { 'idempotency-key': key });
}

async function madeAt({ clinic }: Vendor, startsAt: Date): Promise<number> {
  const em = api.database.em();
  const made = await em.find(AppointmentEntity, { tenantId: clinic.tenantId, startsAt });
  const ids = made.map(({ id }) => id);
  expect(await em.count(WebhookEventEntity, { appointmentId: { $in: ids } })).toBe(made.length);
  return made.length;
}

const statusesOf = (answers: readonly ApiAnswer[]) =>
  answers.map(({ status }) => status).sort((a, b) => a - b);

test('bookings with keys of several clinics, each sent three times at once, are made once each and replayed', async () => {
  const startsAt = Array.from({ length: 20 }, (_, at) => inHours(100 + at));
  // All clinics use the same keys: a key belongs to its clinic.
  const keys = startsAt.map(() => uuidv7());
  const sent = vendors.flatMap((vendor) =>
    startsAt.map((start, at) => {
      const body = bookingBody(vendor.clinic, start);
      return Promise.all([1, 2, 3].map(() => book(vendor, keys[at] ?? '', body)));
    }),
  );
  for (const answers of await Promise.all(sent)) {
    expect(statusesOf(answers)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const replays = answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true');
    expect(replays).toHaveLength(2);
  }
  for (const vendor of vendors) {
    for (const start of startsAt) expect(await madeAt(vendor, start)).toBe(1);
  }
});

test('one key for two bookings that arrive together makes one of them and refuses the other', async () => {
  const [vendor] = vendors as [Vendor];
  const [first, second] = [inHours(200), inHours(201)];
  for (let round = 0; round < 5; round += 1) {
    const key = uuidv7();
    const bodies = [first, second].map((start) =>
      bookingBody(vendor.clinic, new Date(start.getTime() + round * 86_400_000)),
    );
    const answers = await Promise.all(bodies.map((body) => book(vendor, key, body)));
    expect(statusesOf(answers)).toEqual([201, 422]);
    const made = await Promise.all(bodies.map(({ startsAt }) => madeAt(vendor, new Date(startsAt))));
    expect(made.toSorted((a, b) => a - b)).toEqual([0, 1]);
  }
});

test('refused among those that are made, each keeps its own answer', async () => {
  const [vendor] = vendors as [Vendor];
  const startsAt = inHours(400);
  const bodies = [
    bookingBody(vendor.clinic, startsAt),
    bookingBody(vendor.clinic, startsAt),
    bookingBody(vendor.clinic, inHours(401)),
    bookingBody(vendor.clinic, inHours(402), { professionalId: uuidv7() }),
    bookingBody(vendor.clinic, inHours(403), { serviceTypeId: uuidv7() }),
  ];
  const keys = bodies.map(() => uuidv7());
  const send = () => Promise.all(bodies.map((body, at) => book(vendor, keys[at] ?? '', body)));
  const first = await send();
  expect(statusesOf(first)).toEqual([201, 201, 409, 422, 422]);
  const again = await send();
  expect(again.map(({ status, text }) => [status, text])).toEqual(
    first.map(({ status, text }) => [status, text]),
  );
  for (const { headers } of again) expect(headers.get('idempotency-replayed')).toBe('true');
});

test('a booking and the answer that is kept for its repeats bear the same instant and version', async () => {
  const [vendor] = vendors as [Vendor];
  const key = uuidv7();
  const body = bookingBody(vendor.clinic, inHours(500));
  const made = await book(vendor, key, body);
  const read = await vendor.client.get(`/v1/appointments/${appointmentIn(made).id}`);
  expect(read.body).toEqual(made.body);
  const again = await book(vendor, key, body);
  expect(again.text).toBe(made.text);
  expect(again.headers.get('etag')).toBe(made.headers.get('etag'));
  expect(again.headers.get('location')).toBe(made.headers.get('location'));
});
