import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { CLINIC_QUEUE, noShowWorkflowId, RECONCILE_WORKFLOW } from '../../domain/temporal-names.ts';
import type { ReconcileInput, ReconcileResult } from '../../workflows/reconcile.workflow.ts';
import { aClinic, book, change, inHours } from '../support/clinic.ts';
import { until } from '../support/until.ts';
import { createWorkerSurroundings, type WorkerSurroundings } from '../worker/running-worker.ts';

const DAY_HOURS = 24;
const NOTHING = { overdueNoShows: 0, appointments: 0, deliveries: 0, endpoints: 0, replays: 0 };

let surroundings: WorkerSurroundings;
beforeAll(async () => {
  surroundings = await createWorkerSurroundings();
});
afterEach(async () => {
  await surroundings.database.em().execute('TRUNCATE tenant CASCADE; DELETE FROM outbox');
});
afterAll(() => surroundings.close());

function temporal<T>(work: Parameters<typeof surroundings.namespace.temporal.ask<T>>[0]): Promise<T> {
  return surroundings.namespace.temporal.ask(work);
}

function reconcile(): Promise<ReconcileResult> {
  const workflowId = `reconcile-${crypto.randomUUID()}`;
  const options = { taskQueue: CLINIC_QUEUE, workflowId, args: [{}] as [ReconcileInput] };
  return temporal((client) =>
    client.workflow.execute<(input: ReconcileInput) => Promise<ReconcileResult>>(RECONCILE_WORKFLOW, options),
  );
}

async function statusOf(appointmentId: string): Promise<string | null> {
  const handle = (client: Parameters<Parameters<typeof temporal>[0]>[0]) =>
    client.workflow.getHandle(noShowWorkflowId(appointmentId)).describe();
  return temporal(handle).then(
    ({ status }) => status.name,
    () => null,
  );
}

async function untilToldAll(): Promise<void> {
  await until('an empty outbox', async () => {
    const { rows } = await sql`SELECT FROM outbox`.execute(surroundings.database.em().getKysely());
    return rows.length === 0;
  });
}

/** For the appointments, all of them. */
async function daysPass(days: number): Promise<void> {
  const columns = ['starts_at', 'ends_at', 'block_from', 'block_until', 'created_at'];
  const earlier = columns.map((column) => `${column} = ${column} - interval '${days} days'`);
  await surroundings.database.em().execute(`UPDATE calendar_entry SET ${earlier.join(', ')}`);
}

test('the timer of an appointment that is far ahead waits in its row, and is begun when it is near, which is no repair', async () => {
  const { database } = surroundings;
  const clinic = await aClinic(database);
  const { stop } = await surroundings.startWorker();
  const far = await book(database, clinic, { startsAt: inHours(12 * DAY_HOURS) });
  const near = await book(database, clinic, { startsAt: inHours(6 * DAY_HOURS + 20) });
  await untilToldAll();
  expect([await statusOf(far.id), await statusOf(near.id)]).toEqual([null, 'RUNNING']);

  await daysPass(1);
  expect(await reconcile()).toEqual(NOTHING);
  expect(await statusOf(far.id)).toBeNull();

  await daysPass(5.5);
  expect(await reconcile()).toEqual(NOTHING);
  await untilToldAll();
  expect(await statusOf(far.id)).toBe('RUNNING');
  await change(database, clinic, far.id, { status: 'attended' });
  await until('the check-in to be heard', async () => (await statusOf(far.id)) === 'COMPLETED');
  await stop();
});

test('one that should have been begun long ago is put right as any that is missing', async () => {
  const { database } = surroundings;
  const clinic = await aClinic(database);
  const { stop } = await surroundings.startWorker();
  const { id } = await book(database, clinic, { startsAt: inHours(12 * DAY_HOURS) });
  await daysPass(10);
  expect(await reconcile()).toEqual({ ...NOTHING, appointments: 1 });
  await untilToldAll();
  expect(await statusOf(id)).toBe('RUNNING');
  await stop();
});

test('what becomes of an appointment before its timer has begun leaves nothing in the outbox', async () => {
  const { database } = surroundings;
  const clinic = await aClinic(database);
  const { stop } = await surroundings.startWorker();
  const { id } = await book(database, clinic, { startsAt: inHours(20 * DAY_HOURS) });
  await change(database, clinic, id, { status: 'cancelled' });
  await untilToldAll();
  expect(await statusOf(id)).toBeNull();
  await stop();
});
