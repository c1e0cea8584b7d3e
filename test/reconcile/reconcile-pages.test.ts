import { afterEach, expect, test } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { sql } from 'kysely';
import { createNoShowActivities } from '../../activities/no-show.activities.ts';
import { createReconcileActivities, type ReconcileProgress } from '../../activities/reconcile.activities.ts';
import type { RunningWorkflows } from '../../adapters/temporal/running-workflows.ts';
import { findOutboxBacklog } from '../../db/outbox/outbox-backlog.ts';
import { RECONCILE_PARTS, type RowPosition, type ReconcilePart } from '../../domain/reconcile.ts';
import { CLINIC_QUEUE, RECONCILE_WORKFLOW } from '../../domain/temporal-names.ts';
import { aClinic, anEndpoint, book, change, inHours } from '../support/clinic.ts';
import { suiteDatabase } from '../support/database.ts';
import { aLog, testLogger } from '../support/test-logger.ts';
import type { ReconcileInput } from '../../workflows/reconcile.workflow.ts';
import { startTimeSkipping } from '../workflows/time-skipping.ts';

const ROWS_A_PAGE = 3;
const IN_AN_HOUR = new Date(Date.now() + 3_600_000);

const database = await suiteDatabase();
afterEach(async () => {
  await database.em().execute('TRUNCATE tenant CASCADE; DELETE FROM outbox');
});

/** Stands in for Temporal: it runs nothing, or is away. */
function aTemporal({ isAway = (): boolean => false } = {}) {
  const asked: string[][] = [];
  const runningWorkflows: RunningWorkflows = {
    async missingAmong(workflowIds) {
      if (isAway()) throw new Error('14 UNAVAILABLE');
      asked.push([...workflowIds]);
      return [...workflowIds];
    },
  };
  return { asked, runningWorkflows };
}

function look(
  part: ReconcilePart,
  runningWorkflows: RunningWorkflows,
  {
    after = null as RowPosition | null,
    environment = new MockActivityEnvironment(),
    logger = testLogger(),
  } = {},
): Promise<ReconcileProgress> {
  const { reconcile } = createReconcileActivities({
    database,
    runningWorkflows,
    logger,
    clock: () => IN_AN_HOUR,
    onNoShow: () => undefined,
    onReconciled: () => undefined,
    rowsAPage: ROWS_A_PAGE,
  });
  return environment.run(reconcile, { part, after });
}

/** Ten appointments, two of them at the same time, and an eleventh that is settled; each causes two deliveries. */
async function aBusyDay(): Promise<string[]> {
  const clinic = await aClinic(database, { professionals: 2 });
  await anEndpoint(database, clinic.tenantId, ['appointment.created']);
  await anEndpoint(database, clinic.tenantId, ['appointment.created']);
  const ids: string[] = [];
  for (let hour = 0; hour < 11; hour += 1) {
    const professionalId = clinic.professionalIds[hour % 2] ?? '';
    const startsAt = inHours(50 + Math.max(1, hour));
    ids.push((await book(database, clinic, { professionalId, startsAt })).id);
  }
  await change(database, clinic, ids.pop() ?? '', { status: 'cancelled' });
  await database.em().execute('DELETE FROM outbox');
  return ids;
}

test('every row is looked at once, a page at a time, also when the worker stops in between', async () => {
  const ids = await aBusyDay();
  const { asked, runningWorkflows } = aTemporal();
  const environment = new MockActivityEnvironment();
  let pages = 0;
  environment.on('heartbeat', () => (pages += 1) === 2 && environment.cancel('WORKER_SHUTDOWN'));
  const stopped = await look('appointments', runningWorkflows, { environment });
  expect(stopped).toMatchObject({ isFinished: false, repaired: 6 });
  const rest = await look('appointments', runningWorkflows, { after: stopped.after });
  expect(rest).toEqual({ isFinished: true, after: null, repaired: 4, failed: 0 });
  expect(asked.map((page) => page.length)).toEqual([3, 3, 3, 1]);
  expect(asked.flat().toSorted()).toEqual(ids.map((id) => `appointment:${id}`).toSorted());
  // Asked for already: the outbox will see to it.
  expect(await look('appointments', runningWorkflows)).toMatchObject({ isFinished: true, repaired: 0 });
  expect(await look('deliveries', runningWorkflows)).toMatchObject({ isFinished: true, repaired: 22 });
  const { pending } = await findOutboxBacklog(database.em());
  expect(pending).toBe(32);
});

test('with Temporal away nothing is asked for, and the pages that were done stay done', async () => {
  await aBusyDay();
  let pages = 0;
  const { runningWorkflows } = aTemporal({ isAway: () => (pages += 1) > 2 });
  const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  await expect(look('appointments', runningWorkflows, { environment })).rejects.toThrow('UNAVAILABLE');
  const { pending } = await findOutboxBacklog(database.em());
  expect(await look('appointments', aTemporal().runningWorkflows)).toMatchObject({ isFinished: true });
  const { pending: after } = await findOutboxBacklog(database.em());
  expect(after - pending).toBe(4);
});

test('an appointment that cannot be restarted is counted, logged and passed over; the others get their timers', async () => {
  const [broken = ''] = await aBusyDay();
  // A year that JavaScript does not know.
  await sql`
    UPDATE appointment SET reinstated_at = '290000-01-01' WHERE id = ${broken}
  `.execute(database.em().getKysely());
  const { lines, logger } = aLog();
  const { runningWorkflows } = aTemporal();
  expect(await look('appointments', runningWorkflows, { logger })).toEqual({
    isFinished: true,
    after: null,
    repaired: 9,
    failed: 1,
  });
  expect(lines.filter(({ event }) => event === 'reconcile.row_failed')).toEqual([
    expect.objectContaining({ part: 'appointments', rowId: broken }),
  ]);
});

test('a no-show that cannot be marked is counted, logged and passed over; the others are marked and logged', async () => {
  const clinic = await aClinic(database, { professionals: 4 });
  const ids: string[] = [];
  for (const professionalId of clinic.professionalIds) {
    ids.push((await book(database, clinic, { professionalId, startsAt: inHours(-2), mayBackdate: true })).id);
  }
  const [broken = ''] = ids;
  await database.em().execute(`
    ALTER TABLE calendar_entry ADD CONSTRAINT unmarkable CHECK (id <> '${broken}' OR status = 'confirmed') NOT VALID
  `);
  const { lines, logger } = aLog();
  const { runningWorkflows } = aTemporal();
  const found = await look('overdueNoShows', runningWorkflows, { logger });
  await database.em().execute('ALTER TABLE calendar_entry DROP CONSTRAINT unmarkable');
  expect(found).toMatchObject({ isFinished: true, repaired: 3, failed: 1 });
  expect(lines.filter(({ event }) => event === 'reconcile.row_failed')).toEqual([
    expect.objectContaining({ rowId: broken, err: expect.objectContaining({ constraint: 'unmarkable' }) }),
  ]);
  const marked = lines.filter(({ event }) => event === 'appointment.no_show');
  expect(marked.map(({ appointmentId }) => String(appointmentId)).toSorted()).toEqual(
    ids.slice(1).toSorted(),
  );
});

test('a no-show that its timer marks is logged once, with ids only', async () => {
  const clinic = await aClinic(database);
  const { tenantId } = clinic;
  const { id: appointmentId } = await book(database, clinic, { startsAt: inHours(-2), mayBackdate: true });
  const { lines, logger } = aLog();
  const late: number[] = [];
  const { markNoShow } = createNoShowActivities({
    database,
    logger,
    clock: () => new Date(),
    onNoShow: ({ lateMs }) => late.push(lateMs),
  });
  for (let times = 0; times < 2; times += 1) await markNoShow({ appointmentId, clinicId: tenantId });
  expect(lines).toEqual([
    {
      level: 'info',
      time: expect.any(String),
      process: 'test',
      appointmentId,
      tenantId,
      event: 'appointment.no_show',
    },
  ]);
  expect(late).toEqual([expect.any(Number)]);
});

test('the workflow goes through all parts, share by share, however long a database or Temporal is away', async () => {
  const time = await startTimeSkipping();
  const asked: { part: ReconcilePart; after: RowPosition | null }[] = [];
  let failures = 50;
  const activities = {
    async reconcile({
      part,
      after,
    }: {
      part: ReconcilePart;
      after: RowPosition | null;
    }): Promise<ReconcileProgress> {
      if (failures-- > 0) throw new Error('away');
      asked.push({ part, after });
      const position: RowPosition = ['2030-01-01', String(asked.length)];
      const isFinished = part !== 'deliveries' || after !== null;
      return { isFinished, after: isFinished ? null : position, repaired: 2, failed: 0 };
    },
  };
  await time.withActivities(CLINIC_QUEUE, activities, async () => {
    // It goes on in a new run after each part.
    const input: ReconcileInput = { parts: RECONCILE_PARTS, longestRunMs: 0 };
    const options = { taskQueue: CLINIC_QUEUE, workflowId: 'reconcile', args: [input] };
    const result: unknown = await time.environment.client.workflow.execute(RECONCILE_WORKFLOW, options);
    expect(result).toEqual({
      overdueNoShows: 2,
      appointments: 2,
      deliveries: 4,
      endpoints: 2,
      replays: 2,
      farAppointments: 2,
    });
  });
  expect(asked.map(({ part }) => part)).toEqual(RECONCILE_PARTS.toSpliced(2, 0, 'deliveries'));
  expect(asked.map(({ after }) => after)).toEqual([null, null, null, ['2030-01-01', '3'], null, null, null]);
  await time[Symbol.asyncDispose]();
});

test('a run that goes on from another one, which has no summary, tells what it does and what was done before it', async () => {
  const time = await startTimeSkipping();
  const told: string[] = [];
  const { client } = time.environment;
  const handle = client.workflow.getHandle('second-run');
  const activities = {
    async reconcile(): Promise<ReconcileProgress> {
      told.push(await detailsOf(handle));
      return { isFinished: true, after: null, repaired: 1, failed: 0 };
    },
  };
  await time.withActivities(CLINIC_QUEUE, activities, async () => {
    const input: ReconcileInput = { parts: ['replays'], after: ['a', ''], repaired: { endpoints: 7 } };
    const options = { taskQueue: CLINIC_QUEUE, workflowId: handle.workflowId, args: [input] };
    await client.workflow.execute(RECONCILE_WORKFLOW, options);
  });
  expect(told).toEqual([expect.stringMatching(/^Starts missing workflows.+Looking at replays.+7/)]);
  await time[Symbol.asyncDispose]();
});

test('an activity that another worker takes over goes on after the last page that was finished, and counts what was done', async () => {
  await aBusyDay();
  const { asked, runningWorkflows } = aTemporal();
  const whole = await look('deliveries', runningWorkflows);
  const [, , third] = asked;
  await database.em().execute('DELETE FROM outbox');
  const twoPages: ReconcileProgress = { ...whole, isFinished: false, repaired: 40, failed: 1 };
  const beats: ReconcileProgress[] = [];
  const before = new MockActivityEnvironment();
  before.on('heartbeat', (progress: ReconcileProgress) => beats.push(progress));
  await look('deliveries', aTemporal().runningWorkflows, { environment: before });
  await database.em().execute('DELETE FROM outbox');
  asked.length = 0;

  const heartbeatDetails = { ...twoPages, after: beats[2]?.after ?? null };
  const environment = new MockActivityEnvironment({ heartbeatDetails });
  const found = await look('deliveries', runningWorkflows, { environment });
  expect(asked[0]).toEqual(third);
  expect(found).toMatchObject({ isFinished: true, failed: 1 });
  expect(found.repaired).toBe(40 + asked.flat().length);
});

/** What the Temporal UI shows under *Current details*. */
async function detailsOf(handle: WorkflowHandle): Promise<string> {
  const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  return currentDetails;
}
