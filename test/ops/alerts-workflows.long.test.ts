import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { ScheduleOverlapPolicy } from '@temporalio/client';
import {
  CLINIC_QUEUE,
  RECALL_SCAN_SCHEDULE,
  RECONCILE_SCHEDULE,
  RETENTION_SCHEDULE,
} from '../../domain/temporal-names.ts';
import { aClinic, book, inHours } from '../support/clinic.ts';
import { answerWith, neverAnswer } from '../support/servers/receiver.ts';
import { until } from '../support/until.ts';
import { anEventFor } from '../webhooks/recorded-attempts.ts';
import { expressionOf } from './alert-rules.ts';
import { duringForgottenTransaction } from './forgotten-transaction.ts';
import { startPollGateway, type PollGateway } from './poll-gateway.ts';
import { startWatchedService } from './watched-service.ts';
import { forSuite } from '../support/for-suite.ts';

/**
 * What goes wrong between the worker and Temporal. The tests share the processes and run in the order in which they
 * stand; what looks at the last minutes or hours goes on firing for so long, and is then named as something that fires
 * still. ScheduleLate waits for 45 minutes, which no server's clock can be made to skip: its limits are taken as seconds
 * for minutes, on a schedule whose runs are begun by hand as often.
 */

const FREEZE_MS = 12_000;
const TASKS_WAIT_MS = 8000;
const BETWEEN_RUNS_MS = 1000;

let gateway: PollGateway;

const service = await forSuite(
  startWatchedService({
    workerEnvironment: { WEBHOOK_RETRY_DELAYS_SECONDS: '1,5,3600,3600,3600' },
    async wayToTemporal(address) {
      gateway = await forSuite(startPollGateway(address));
      return gateway.address;
    },
  }),
);
const { surroundings, database } = service;

/** As its time comes again and again. */
async function begin(...ids: string[]): Promise<void> {
  for (const id of ids)
    await service.surroundings.namespace.temporal.ask((client) =>
      client.schedule.getHandle(id).trigger(ScheduleOverlapPolicy.SKIP),
    );
  await pause(BETWEEN_RUNS_MS);
}

const beginAll = () => begin(RECALL_SCAN_SCHEDULE, RECONCILE_SCHEDULE, RETENTION_SCHEDULE);

async function change(statement: string, ...values: unknown[]): Promise<void> {
  await service.database.em().execute(statement, values);
}

test('a gateway that lets no poll through: workers run, and no queue is polled', async () => {
  await service.untilOnly('QueueUnpolled').finally(() => gateway.letPollsPass(true));
  await service.untilNothingFires();
});

test('a workflow that no worker knows, as of a version that was taken back', async () => {
  const { temporal } = service.surroundings.namespace;
  const unknown = await temporal.ask(({ workflow }) =>
    workflow.start('appointmentSurvey', {
      taskQueue: CLINIC_QUEUE,
      workflowId: 'survey',
      workflowTaskTimeout: '1 second',
    }),
  );
  await service.untilOnly('WorkflowsFailing');
  await temporal.ask(() => unknown.terminate());
  await service.untilNothingFires();
});

test('a run of a schedule that hangs, so that the next ones are left out', async () => {
  const inSeconds = expressionOf('ScheduleLate').replaceAll(/\b(2700|8100)\b/g, (limit) =>
    String(Number(limit) / 60),
  );
  await beginAll();
  await until('runs that have begun', () => service.prometheus.holds('max(schedule_age_seconds) < 10'));
  expect(await service.prometheus.holds(inSeconds)).toBe(false);
  const { databaseUrl } = service.surroundings;
  await duringForgottenTransaction(databaseUrl, ['LOCK TABLE tenant IN ACCESS EXCLUSIVE MODE'], async () => {
    await until('a run that is late', async () => {
      await begin(RECALL_SCAN_SCHEDULE);
      return service.prometheus.holds(inSeconds);
    });
  });
  await until('runs in time again', async () => {
    await beginAll();
    return !(await service.prometheus.holds(inSeconds));
  });
});

test('a delivery whose workflow someone has terminated: overdue until reconcile repairs it', async () => {
  const { tenantId } = await aClinic(database);
  const receiver = await surroundings.startReceiver();
  const { endpointId } = await surroundings.subscribe(tenantId, receiver.url());
  receiver.script(answerWith(503), neverAnswer());
  const { id, workflowId } = await anEventFor(database, { tenantId, endpointId });
  await receiver.received(2);
  await surroundings.namespace.temporal.ask(({ workflow }) =>
    workflow.getHandle(String(workflowId)).terminate('by mistake'),
  );
  await service.untilOnly('DeliveriesOverdue');
  await change(`UPDATE webhook_delivery SET created_at = created_at - interval '1 day' WHERE id = ?`, id);
  await begin(RECONCILE_SCHEDULE);
  await receiver.received(3);
  await service.untilFires('ReconcileRepairs');
  await service.untilSilent('DeliveriesOverdue');
  await service.untilOnly('ReconcileRepairs');
});

test('an appointment that was moved into the past by hand, and is locked by a forgotten transaction', async () => {
  const { id } = await book(database, await aClinic(database), { startsAt: inHours(48) });
  await change(
    `UPDATE appointment
     SET block_from = block_from - interval '3 days', starts_at = starts_at - interval '3 days',
       ends_at = ends_at - interval '3 days', created_at = created_at - interval '3 days'
     WHERE id = ?`,
    id,
  );
  await service.untilOnly('NoShowsOverdue', 'ReconcileRepairs');
  const locked: [string, string] = ['SELECT id FROM appointment WHERE id = $1 FOR UPDATE', id];
  await duringForgottenTransaction(surroundings.databaseUrl, locked, async () => {
    await until('reconcile to fail', async () => {
      // Passed over while the run before goes on.
      await begin(RECONCILE_SCHEDULE);
      return service.prometheus.isFiring('ReconcileFailures');
    });
    await service.untilOnly('NoShowsOverdue', 'ReconcileFailures', 'ReconcileRepairs');
  });
  await until('reconcile to mark it', async () => {
    await begin(RECONCILE_SCHEDULE);
    return !(await service.prometheus.isFiring('NoShowsOverdue'));
  });
});

test('a worker that stands still for a while: an event that comes meanwhile reaches its receiver late', async () => {
  const { tenantId } = await aClinic(database);
  const receiver = await surroundings.startReceiver();
  const { endpointId } = await surroundings.subscribe(tenantId, receiver.url());
  gateway.letPollsPass(true);
  await service.untilSilent('WorkerDown');
  const { pid = 0 } = service.worker().child;
  process.kill(pid, 'SIGSTOP');
  try {
    await anEventFor(database, { tenantId, endpointId });
    await service.untilFires('WorkerDown');
    await pause(FREEZE_MS);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await service.untilFires('FirstAttemptsSlow');
});

test('a gateway that lets no polls through for a while: tasks of workflows have waited', async () => {
  // What a histogram holds when Prometheus sees it first is no growth of it.
  await beginAll();
  await until('tasks that were seen', () =>
    service.prometheus.holds('temporal_workflow_task_schedule_to_start_latency_seconds_count > 0'),
  );
  gateway.letPollsPass(false);
  await beginAll();
  await pause(TASKS_WAIT_MS);
  gateway.letPollsPass(true);
  await service.untilFires('WorkflowTasksSlow');
});
