import { afterEach, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { RECONCILE_PARTS, reconcilePartsAt, type ReconcilePart } from '../../domain/reconcile.ts';
import { CLINIC_QUEUE, noShowWorkflowId, RECONCILE_WORKFLOW } from '../../domain/temporal-names.ts';
import type { ReconcileInput, ReconcileResult } from '../../workflows/reconcile.workflow.ts';
import { aClinic, book, change, inHours } from '../support/clinic.ts';
import { until } from '../support/until.ts';
import { createWorkerSurroundings } from '../worker/running-worker.ts';
import { forSuite } from '../support/for-suite.ts';

const DAY_HOURS = 24;
const YEAR_AHEAD = inHours(365 * DAY_HOURS);

const surroundings = await forSuite(createWorkerSurroundings());
const { database } = surroundings;
afterEach(async () => {
  await surroundings.database.em().execute('TRUNCATE tenant CASCADE; DELETE FROM outbox');
});

function temporal<T>(work: Parameters<typeof surroundings.namespace.temporal.ask<T>>[0]): Promise<T> {
  return surroundings.namespace.temporal.ask(work);
}

function reconcile(...parts: ReconcilePart[]): Promise<ReconcileResult> {
  const workflowId = `reconcile-${crypto.randomUUID()}`;
  const options = { taskQueue: CLINIC_QUEUE, workflowId, args: [{ parts }] as [ReconcileInput] };
  return temporal((client) =>
    client.workflow.execute<(input: ReconcileInput) => Promise<ReconcileResult>>(RECONCILE_WORKFLOW, options),
  );
}

async function statusOf(appointmentId: string): Promise<string> {
  const handle = (client: Parameters<Parameters<typeof temporal>[0]>[0]) =>
    client.workflow.getHandle(noShowWorkflowId(appointmentId)).describe();
  return (await temporal(handle)).status.name;
}

async function untilEmptyOutbox(): Promise<void> {
  await until('an empty outbox', async () => {
    const { rows } = await sql`SELECT FROM outbox`.execute(surroundings.database.em().getKysely());
    return rows.length === 0;
  });
}

test('an appointment a year ahead has its timer workflow at once, and the workflow gets a cancellation', async () => {
  const clinic = await aClinic(database);
  const { stop } = await surroundings.startWorker();
  const { id } = await book(database, clinic, { startsAt: YEAR_AHEAD });
  await untilEmptyOutbox();
  expect(await statusOf(id)).toBe('RUNNING');
  await change(database, clinic, id, { status: 'cancelled' });
  await until('the cancellation to arrive', async () => (await statusOf(id)) === 'COMPLETED');
  await stop();
});

test('an appointment that is cancelled before its workflow was started gets one, which ends at once', async () => {
  const clinic = await aClinic(database);
  const { id } = await book(database, clinic, { startsAt: YEAR_AHEAD });
  await change(database, clinic, id, { status: 'cancelled' });
  const { stop } = await surroundings.startWorker();
  await untilEmptyOutbox();
  const ended = await temporal((client) => client.workflow.getHandle(noShowWorkflowId(id)).result());
  expect(ended).toEqual({ outcome: 'cancelled' });
  await stop();
});

test('a lost timer is started again: within the hour when it fires soon, within the day when it is far ahead', async () => {
  const clinic = await aClinic(database);
  const near = await book(database, clinic, { startsAt: inHours(2 * DAY_HOURS) });
  const far = await book(database, clinic, { startsAt: YEAR_AHEAD });
  await database.em().execute(`
    DELETE FROM outbox;
    UPDATE calendar_entry SET created_at = created_at - interval '10 minutes'`);
  const { stop } = await surroundings.startWorker();
  expect(await reconcile('appointments')).toEqual({ appointments: 1 });
  await untilEmptyOutbox();
  expect(await statusOf(near.id)).toBe('RUNNING');
  expect(await reconcile('farAppointments')).toEqual({ farAppointments: 1 });
  await untilEmptyOutbox();
  expect(await statusOf(far.id)).toBe('RUNNING');
  await stop();
});

test('one run a day looks at appointments far ahead', () => {
  const runs = Array.from({ length: 24 }, (_, hour) =>
    reconcilePartsAt(new Date(Date.UTC(2026, 0, 1, hour))),
  );
  expect(runs.filter((parts) => parts.includes('farAppointments'))).toEqual([RECONCILE_PARTS]);
  expect(runs.every((parts) => parts.includes('appointments'))).toBe(true);
});
