import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Pool } from 'pg';
import { cloneRows } from '../../../bench/service/clone-rows.ts';
import { editAppointments } from '../../../commands/appointments/edit-appointments-together.ts';
import { bookAppointment } from '../../../commands/appointments/book-appointment.ts';
import { recordAttempts, type MadeAttempt } from '../../../commands/webhooks/record-attempts.ts';
import { findAppointments } from '../../../db/appointments/find-appointment.ts';
import type { ClinicDatabase, EntityManager } from '../../../db/connection/open-database.ts';
import { claimFirstAttempts } from '../../../db/outbox/claim-first-attempts.ts';
import type { OnlyNew } from '../../../db/outbox/waiting-endpoints.ts';
import { admitRequests } from '../../../db/requests/admit-request.ts';
import { insertEvent } from '../../../db/webhooks/events/insert-event.ts';
import { aBooking, aClinic, anEndpoint, asOperator, book, inHours } from '../../support/clinic.ts';
import { suiteDatabase } from '../../support/database.ts';
import { aLease } from '../../support/leases.ts';
import { pagesFor, uuid } from './pages-read.ts';

/** Few enough rows that PostgreSQL would rather read a table as a whole than look up the hundred it expects of any list. */
const COPIES = 6000;

const database = await suiteDatabase({ poolSize: 1, applicationName: 'plans' });
const pool = new Pool({ connectionString: database.url, max: 1 });
const clinic = await aClinic(database);
await anEndpoint(database, clinic.tenantId);
const { id: appointmentId } = await book(database, clinic);
const workerId = await aLease(database.em());
await copyRows('tenant', 'id', `'id', ${uuid('i')}, 'identity_org_id', 'org_' || i`);
for (const table of ['webhook_endpoint', 'professional', 'service_type']) {
  await copyRows(table, 'tenant_id', `'id', ${uuid('i')}, 'tenant_id', ${uuid('i')}`);
}
await copyRows('appointment', 'tenant_id', `'id', ${uuid('i')}, 'blocks', false`);
await copyRows('webhook_event', 'tenant_id', `'id', 'evt_' || i`);
await copyRows('webhook_delivery', 'tenant_id', `'id', ${uuid('i')}, 'event_id', 'evt_' || i`);

afterAll(() => pool.end());

/** Of the clinic's row in the table. */
async function copyRows(table: string, clinicColumn: string, changes: string): Promise<void> {
  const template: [string, string] = [clinicColumn, clinic.tenantId];
  await cloneRows(pool, { table, template, count: COPIES, changes: `jsonb_build_object(${changes})` });
}

/**
 * With the most pages that it may read, those of the indexes that it writes to included: more than it reads, which varies
 * with what the acts before it left, but less than that plus the smallest table (128 pages).
 */
type Act = [what: string, mostPages: number, act: (em: EntityManager) => Promise<unknown>];

const OF_REQUESTS: Act[] = [
  [
    'an appointment is read',
    100,
    (em) => findAppointments(em, [{ tenantId: clinic.tenantId, id: appointmentId }]),
  ],
  ['an appointment is edited', 350, editAppointment],
  ['an event is written for the endpoints of its clinic', 180, writeEvent],
  ['an appointment is booked', 350, bookOne],
];

const OF_ADMISSION: Act[] = [['a request is admitted', 60, admitRequest]];

const OF_THE_OUTBOX: Act[] = [
  ['a first attempt is claimed', 250, (em) => claimFirstAttempt(em, null)],
  ['a first attempt of a new row is claimed', 200, (em) => claimFirstAttempt(em, ALL_ARE_NEW)],
  ['an attempt is recorded', 180, recordAttempt],
];

/** Work on these connections. */
type Through = ClinicDatabase['read'];

describe.each<{ connections: string; through: Through; acts: Act[]; mostCustomPlans: number }>([
  // PostgreSQL plans a statement five times for its values before it plans once for any.
  { connections: 'default', through: (work) => work(database.em()), acts: OF_REQUESTS, mostCustomPlans: 5 },
  {
    connections: 'clinics',
    through: (work) => database.ofClinic(clinic.tenantId).read(work),
    acts: OF_REQUESTS,
    mostCustomPlans: 5,
  },
  {
    connections: 'admission',
    through: (work) => work(database.admission()),
    acts: OF_ADMISSION,
    mostCustomPlans: 5,
  },
  {
    connections: 'outbox',
    through: (work) => work(database.outbox()),
    acts: OF_THE_OUTBOX,
    mostCustomPlans: 0,
  },
])('what runs all the time on the connections "$connections"', ({ through, acts, mostCustomPlans }) => {
  test.each(acts)('reads no whole table when %s', async (_, mostPages, act) => {
    expect(await through((em) => pagesFor(em, act))).toBeLessThan(mostPages);
  });

  test('is not planned again each time', async () => {
    for (const [, , act] of acts) {
      for (let times = 0; times < 12; times += 1) await through((em) => undone(em, act));
    }
    const statements = await through((em) =>
      em.execute<{ statement: string; customPlans: number }[]>(`
        SELECT left(statement, 100) AS statement, custom_plans::integer AS "customPlans" FROM pg_prepared_statements`),
    );
    expect(statements.length).toBeGreaterThanOrEqual(acts.length);
    expect(statements.filter(({ customPlans }) => customPlans > mostCustomPlans)).toEqual([]);
  });
});

async function undone(em: EntityManager, act: (em: EntityManager) => Promise<unknown>): Promise<void> {
  const enough = new Error('rolled back');
  const made = em.transactional(async (transaction) => {
    await act(transaction);
    throw enough;
  });
  await expect(made).rejects.toBe(enough);
}

async function admitRequest(em: EntityManager): Promise<void> {
  const key = { publicId: 'unknown', secretHash: Buffer.alloc(32) };
  const [admission] = await admitRequests(em, [{ key, address: '127.0.0.1' }], new Date());
  expect(admission).toMatchObject({ isKeyValid: false, counted: { isAccepted: true } });
}

let booked = 0;
async function bookOne(em: EntityManager): Promise<void> {
  booked += 1;
  const booking = aBooking(clinic, { startsAt: inHours(24 + booked) });
  expect(await bookAppointment(em, booking, asOperator())).toMatchObject({ id: expect.any(String) });
}

async function editAppointment(em: EntityManager): Promise<void> {
  const { tenantId } = clinic;
  const edit = { tenantId, appointmentId, patientNotes: new Date().toISOString(), context: asOperator() };
  expect(await editAppointments(em, [edit])).toEqual([expect.objectContaining({ id: appointmentId })]);
}

const ALL_ARE_NEW: OnlyNew | null = { beyond: '0', alsoOf: [] };

/** Of the booked appointment. */
async function claimFirstAttempt(em: EntityManager, onlyNew: OnlyNew | null): Promise<void> {
  const one = { ids: [], free: [], unlisted: 1 };
  const free = { endpoint: one, clinic: one, host: one };
  const { rows } = await claimFirstAttempts(em, { workerId, limit: 1, free, onlyNew });
  expect(rows).toEqual([expect.objectContaining({ delivery: expect.objectContaining({ appointmentId }) })]);
}

let recorded = 0;
async function recordAttempt(em: EntityManager): Promise<void> {
  recorded += 1;
  const [delivery] = await em.execute<{ id: string; tenantId: string; endpointId: string }[]>(`
    SELECT id, tenant_id AS "tenantId", endpoint_id AS "endpointId" FROM webhook_delivery WHERE id = ${uuid(recorded)}`);
  const attempt: MadeAttempt = {
    tenantId: delivery?.tenantId ?? '',
    deliveryId: delivery?.id ?? '',
    endpointId: delivery?.endpointId ?? '',
    eventType: 'appointment.created',
    number: 1,
    url: 'https://receiver.example/hook',
    startedAt: new Date(),
    durationMs: 1,
    outcome: 'succeeded',
    errorClass: null,
    responseStatus: 200,
    responseExcerpt: null,
    tlsFault: null,
  };
  const progress = await recordAttempts(em, [attempt]);
  expect(progress.get(attempt.deliveryId)).toMatchObject({ status: 'succeeded' });
}

async function writeEvent(em: EntityManager): Promise<void> {
  const id = `evt_${randomUUID()}`;
  await insertEvent(em, {
    id,
    tenantId: clinic.tenantId,
    type: 'appointment.updated',
    body: '{}',
    appointmentId,
    createdAt: new Date(),
    timeline: [],
    messages: [],
    actor: 'test',
    requestId: null,
  });
  const deliveries = await em.execute(`SELECT FROM webhook_delivery WHERE event_id = '${id}'`);
  expect(deliveries).toHaveLength(1);
}
