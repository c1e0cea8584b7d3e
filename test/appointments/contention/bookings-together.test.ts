import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { bookAppointment } from '../../../commands/appointments/book-appointment.ts';
import { appointmentIn, createApiClient, type ApiClient, type ApiAnswer } from '../../support/api-client.ts';
import { suiteApi } from '../../support/servers/api-server.ts';
import {
  aBooking,
  aClinic,
  anEndpoint,
  asOperator,
  bookingBody,
  inHours,
  type TestClinic,
} from '../../support/clinic.ts';
import { until } from '../../support/until.ts';
import { storedBodies } from '../../support/stored/stored-events.ts';
import { uuidv7 } from 'uuidv7';
import { AppointmentEntity } from '../../../db/entities/appointment.entity.ts';
import { WebhookEventEntity } from '../../../db/entities/webhooks/webhook-event.entity.ts';

const CLINICS = 4;

interface Vendor {
  clinic: TestClinic;
  endpointId: string;
  client: ApiClient;
}

const api = await suiteApi();
const vendors = await Promise.all(Array.from({ length: CLINICS }, aVendor));

async function aVendor(): Promise<Vendor> {
  const clinic = await aClinic(api.database, { professionals: 3 });
  const endpointId = await anEndpoint(api.database, clinic.tenantId);
  const client = createApiClient(api.url, await api.keyOf({ tenantId: clinic.tenantId }));
  return { clinic, endpointId, client };
}

function post({ clinic, client }: Vendor, changes: Record<string, unknown> = {}) {
  return client.post('/v1/appointments', bookingBody(clinic, inHours(24), changes));
}

interface EventRow {
  appointmentId: string;
  tenantId: string;
  body: { tenant: { id: string }; data: { appointment: Record<string, unknown> } };
  endpoints: string[];
  changes: number;
}

async function eventsOf(ids: readonly string[]): Promise<Map<string, EventRow>> {
  const { rows } = await sql<Omit<EventRow, 'body'> & { eventId: string }>`
    SELECT
      event.id AS "eventId", event.appointment_id AS "appointmentId", event.tenant_id AS "tenantId",
      ARRAY(SELECT endpoint_id::text FROM webhook_delivery WHERE event_id = event.id) AS endpoints,
      (SELECT count(*)::int FROM appointment_change WHERE event_id = event.id) AS changes
    FROM webhook_event event
    WHERE appointment_id = ANY (${[...ids]}::uuid[])
  `.execute(api.database.em().getKysely());
  expect(rows).toHaveLength(ids.length);
  const bodies = await storedBodies<EventRow['body']>(api.database, { appointmentId: { $in: [...ids] } });
  return new Map(
    rows.map(({ eventId, ...row }) => [
      row.appointmentId,
      { ...row, body: bodies.get(eventId) as EventRow['body'] },
    ]),
  );
}

interface Request {
  vendor: Vendor;
  status: number;
  answer: ReturnType<typeof post>;
}

async function answersTo(requests: readonly Request[]) {
  const answers = await Promise.all(
    requests.map(async ({ answer, ...request }) => ({ ...request, answer: await answer })),
  );
  expect(answers.map(({ answer }) => answer.status)).toEqual(answers.map(({ status }) => status));
  return answers;
}

test('bookings of several clinics that arrive together get their own answers, events and deliveries', async () => {
  const [first] = vendors;
  const answers = await answersTo(
    vendors.flatMap((vendor) => {
      const [, professionalId] = vendor.clinic.professionalIds;
      const stranger = vendor === first ? vendors[1] : first;
      return [
        { vendor, status: 201, answer: post(vendor, { externalId: 'visit-1', metadata: { room: '2 "b"' } }) },
        { vendor, status: 201, answer: post(vendor, { professionalId, patientNotes: 'fala\n{}' }) },
        {
          vendor,
          status: 422,
          answer: post(vendor, { professionalId: stranger?.clinic.professionalIds[0] }),
        },
        { vendor, status: 422, answer: post(vendor, { serviceTypeId: stranger?.clinic.serviceTypeId }) },
      ];
    }),
  );

  const booked = answers
    .filter(({ status }) => status === 201)
    .map(({ vendor, answer }) => ({ vendor, answer, appointment: appointmentIn(answer) }));
  const events = await eventsOf(booked.map(({ appointment }) => appointment.id));
  for (const { vendor, answer, appointment } of booked) {
    const event = events.get(appointment.id);
    expect(event).toMatchObject({
      tenantId: vendor.clinic.tenantId,
      endpoints: [vendor.endpointId],
      changes: 1,
      body: { tenant: { id: vendor.clinic.tenantId } },
    });
    expect(answer.body).toMatchObject(event?.body.data.appointment ?? {});
    const read = await vendor.client.get(`/v1/appointments/${appointment.id}`);
    expect(read.body).toEqual(answer.body);
  }
});

test('a taken slot is refused among bookings that are made', async () => {
  const answers = await answersTo(
    vendors.flatMap((vendor) => {
      const [, , professionalId] = vendor.clinic.professionalIds;
      return [
        { vendor, status: 409, answer: post(vendor, { patientName: 'Rui Santos' }) },
        { vendor, status: 409, answer: post(vendor) },
        { vendor, status: 409, answer: post(vendor, { professionalId, externalId: 'visit-1' }) },
        { vendor, status: 201, answer: post(vendor, { professionalId, startsAt: inHours(26) }) },
      ];
    }),
  );
  expect(answers.map(({ answer }) => answer.body['error'])).toEqual(
    vendors.flatMap(() => ['slot_conflict', 'already_booked', 'external_id_conflict', undefined]),
  );
});

test('of bookings for one slot that arrive together exactly one is made', async () => {
  const answers = await Promise.all(
    vendors.flatMap((vendor) => Array.from({ length: 8 }, () => post(vendor, { startsAt: inHours(28) }))),
  );
  const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
  expect(statuses).toEqual([
    ...vendors.map(() => 201),
    ...vendors.flatMap(() => Array.from({ length: 7 }, () => 409)),
  ]);
});

/** A transaction that has the slot of the clinic's first professional and has not decided yet. */
async function aRival({ clinic }: Vendor, startsAt: Date) {
  const begun = Promise.withResolvers<void>();
  const decided = Promise.withResolvers<void>();
  const ended = api.database
    .write(async (em) => {
      await bookAppointment(em, aBooking(clinic, { startsAt }), asOperator());
      begun.resolve();
      await decided.promise;
      throw new Error('the rival gives up');
    })
    .catch(() => undefined);
  await Promise.race([begun.promise, ended]);
  return {
    giveUp: async () => {
      decided.resolve();
      await ended;
    },
  };
}

test('a booking that has to wait for a rival holds up no one else', async () => {
  const [vendor, ...others] = vendors;
  if (!vendor) throw new Error('no clinic');
  const startsAt = inHours(30);
  const rival = await aRival(vendor, startsAt);
  const waiting = post(vendor, { startsAt });
  const free = await Promise.all(
    [...others, ...others].map((other, at) => post(other, { startsAt: inHours(30 + at) })),
  );
  expect(free.map(({ status }) => status)).toEqual(free.map(() => 201));
  await rival.giveUp();
  expect((await waiting).status).toBe(201);
});

test('a booking whose rival does not decide is told to come again', async () => {
  const [vendor] = vendors;
  if (!vendor) throw new Error('no clinic');
  const startsAt = inHours(60);
  const rival = await aRival(vendor, startsAt);
  const refused = await post(vendor, { startsAt });
  expect(refused).toMatchObject({ status: 503, body: { error: 'temporarily_unavailable' } });
  expect(refused.headers.get('retry-after')).toBe('2');
  await rival.giveUp();
  expect((await post(vendor, { startsAt })).status).toBe(201);
});

/** Ends the connections on which bookings wait for a rival; returns how many. */
async function loseWaitingConnections(): Promise<number> {
  const { rows } = await sql`
    SELECT pg_terminate_backend(pid)
    FROM pg_stat_activity
    WHERE datname = current_database()
      AND wait_event_type = 'Lock'
      AND query LIKE '%INSERT INTO appointment%'
  `.execute(api.database.em().getKysely());
  return rows.length;
}

test('bookings whose connection is lost are told to come again, and were not made', async () => {
  const [vendor, ...others] = vendors;
  if (!vendor) throw new Error('no clinic');
  const startsAt = inHours(90);
  const rival = await aRival(vendor, startsAt);
  const answers = Promise.all([vendor, ...others].map((each) => post(each, { startsAt })));
  await until('a booking to wait', async () => (await loseWaitingConnections()) > 0);
  const statuses = (await answers).map(({ status }) => status);
  expect(statuses[0]).toBe(503);
  await rival.giveUp();
  const lost = [vendor, ...others].filter((_, at) => statuses[at] === 503);
  const again = await Promise.all(lost.map((each) => post(each, { startsAt })));
  expect(again.map(({ status }) => status)).toEqual(lost.map(() => 201));
  expect(statuses.filter((status) => status === 201)).toHaveLength(CLINICS - lost.length);
});

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
