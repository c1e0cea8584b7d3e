import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Pool } from 'pg';
import { cloneRows } from '../../bench/service/clone-rows.ts';
import { editAppointments } from '../../commands/appointments/edit-appointments.ts';
import { findAppointments } from '../../db/appointments/find-appointment.ts';
import { openDatabase, type Database, type EntityManager } from '../../db/connection/open-database.ts';
import { claimFirstAttempts } from '../../db/outbox/claim-deliveries.ts';
import { insertAttempts } from '../../db/webhooks/deliveries/record-attempts.ts';
import { insertEvent } from '../../db/webhooks/events/insert-event.ts';
import { aClinic, anEndpoint, asOperator, book, type TestClinic } from '../support/clinic.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { pagesFor, uuid } from './pages-read.ts';

/** Few enough rows that PostgreSQL would rather read a table as a whole than look up the hundred it expects of any list. */
const COPIES = 6000;

let testDatabase: TestDatabase;
let database: Database;
let pool: Pool;
let clinic: TestClinic;
let appointmentId: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase({ url: testDatabase.url, poolSize: 1, applicationName: 'plans' });
  pool = new Pool({ connectionString: testDatabase.url, max: 1 });
  clinic = await aClinic(database);
  await anEndpoint(database, clinic.tenantId);
  ({ id: appointmentId } = await book(database, clinic));
  await copyRows('tenant', 'id', `'id', ${uuid('i')}, 'identity_org_id', 'org_' || i`);
  await copyRows('webhook_endpoint', 'tenant_id', `'id', ${uuid('i')}, 'tenant_id', ${uuid('i')}`);
  await copyRows('appointment', 'tenant_id', `'id', ${uuid('i')}, 'blocks', false`);
  await copyRows('webhook_event', 'tenant_id', `'id', 'evt_' || i`);
  await copyRows('webhook_delivery', 'tenant_id', `'id', ${uuid('i')}, 'event_id', 'evt_' || i`);
});

afterAll(async () => {
  await Promise.all([pool.end(), database[Symbol.asyncDispose]()]);
  await testDatabase.drop();
});

/** Of the clinic's row in the table. */
async function copyRows(table: string, clinicColumn: string, changes: string): Promise<void> {
  const template: [string, string] = [clinicColumn, clinic.tenantId];
  await cloneRows(pool, { table, template, count: COPIES, changes: `jsonb_build_object(${changes})` });
}

/** With the most pages that it may read, those of the indexes that it writes to included. */
const ALL_THE_TIME: [string, number, (em: EntityManager) => Promise<unknown>][] = [
  [
    'an appointment is read',
    100,
    (em) => findAppointments(em, [{ tenantId: clinic.tenantId, id: appointmentId }]),
  ],
  ['an appointment is edited', 200, editAppointment],
  ['a first attempt is claimed', 100, claimFirstAttempt],
  ['an attempt is recorded', 100, recordAttempt],
  ['an event is written for the endpoints of its clinic', 100, writeEvent],
];

test.each(ALL_THE_TIME)('no whole table is read when %s', async (_, mostPages, act) => {
  expect(await pagesFor(database, act)).toBeLessThan(mostPages);
});

async function editAppointment(em: EntityManager): Promise<void> {
  const { tenantId } = clinic;
  const edit = { tenantId, appointmentId, patientNotes: new Date().toISOString(), context: asOperator() };
  expect(await editAppointments(em, [edit])).toEqual([expect.objectContaining({ id: appointmentId })]);
}

/** Of the booking. */
async function claimFirstAttempt(em: EntityManager): Promise<void> {
  const one = { ids: [], free: [], unlisted: 1 };
  const free = { endpoint: one, clinic: one, host: one };
  const claimed = await claimFirstAttempts(em, { workerId: randomUUID(), limit: 1, free });
  expect(claimed).toEqual([
    expect.objectContaining({ delivery: expect.objectContaining({ appointmentId }) }),
  ]);
}

async function recordAttempt(em: EntityManager): Promise<void> {
  const [delivery] = await em.execute<{ id: string }[]>(`SELECT ${uuid(7)} AS id`);
  const attempt = {
    deliveryId: delivery?.id ?? '',
    number: 1,
    startedAt: new Date(),
    durationMs: 1,
    outcome: 'succeeded' as const,
    errorClass: null,
    responseStatus: 200,
    responseExcerpt: null,
    verdict: 'succeeded' as const,
    nextAttemptAt: null,
  };
  const recorded = await insertAttempts(em, [attempt], { burst: null });
  expect(recorded.size).toBe(1);
}

async function writeEvent(em: EntityManager): Promise<void> {
  await insertEvent(em, {
    id: 'evt_new',
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
  const deliveries = await em.execute(`SELECT FROM webhook_delivery WHERE event_id = 'evt_new'`);
  expect(deliveries).toHaveLength(1);
}
