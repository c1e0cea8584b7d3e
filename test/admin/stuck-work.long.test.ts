import { randomBytes } from 'node:crypto';
import { TEST_SEALING } from '../support/sealing.ts';
import { writeFile, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { keepSchedules } from '../../adapters/temporal/schedules.ts';
import { WebhookDeliveryEntity } from '../../db/entities/webhooks/webhook-delivery.entity.ts';
import { anyPort } from '../../dev/processes/free-port.ts';
import { CLINIC_QUEUE } from '../../domain/temporal-names.ts';
import { aClinic, book, inHours } from '../support/clinic.ts';
import { answerWith } from '../support/servers/receiver.ts';
import { until } from '../support/until.ts';
import { anEventFor } from '../webhooks/recorded-attempts.ts';
import { createWorkerSurroundings } from '../worker/running-worker.ts';
import { startWorkerProcess, type WorkerProcess } from '../worker/worker-process.ts';
import { adminWith } from './admin-runs.ts';
import { forSuite } from '../support/for-suite.ts';

const started: WorkerProcess[] = [];

const surroundings = await forSuite(createWorkerSurroundings());
const { databaseUrl, namespace, database } = surroundings;
const { path: directory } = await forSuite(mkdtempDisposable(join(tmpdir(), 'stuck-test-')));
await writeFile(join(directory, 'ca.pem'), surroundings.authority.caPem);
await surroundings.namespace.temporal.ask(keepSchedules);
afterEach(() => {
  for (const { child } of started) if (child.exitCode === null) child.kill('SIGKILL');
});

function service(): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: namespace.address,
    TEMPORAL_NAMESPACE: namespace.namespace,
  };
}

async function startProcess(encryptionKey: string) {
  const port = String(await anyPort('127.0.0.1'));
  const worker = startWorkerProcess({
    ...service(),
    ENCRYPTION_KEY: encryptionKey,
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
    WEBHOOK_CA_FILE: join(directory, 'ca.pem'),
    WEBHOOK_RETRY_DELAYS_SECONDS: '3,300,1800,7200,43200',
    METRICS_PORT: port,
  });
  started.push(worker);
  await worker.ready;
  return {
    async metrics(): Promise<string[]> {
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
      return (await answer.text()).split('\n');
    },
    async stop(): Promise<void> {
      worker.child.kill('SIGTERM');
      expect(await worker.ended).toBe(0);
    },
  };
}

/** What the doctor finds wrong, by the names of its checks, and how it exits. */
async function examine(): Promise<{ exitCode: number | null; wrong: Record<string, string> }> {
  const { exitCode, stdout } = await adminWith(service())('doctor');
  const { checks } = JSON.parse(stdout) as { checks: { name: string; ok: boolean; detail: string }[] };
  const failed = checks.filter(({ ok }) => !ok);
  return { exitCode, wrong: Object.fromEntries(failed.map(({ name, detail }) => [name, detail])) };
}

/** As if everything that is written now had been written ten minutes before. */
async function tenMinutesPass(): Promise<void> {
  const ago = (columns: string[]) =>
    columns.map((name) => `${name} = ${name} - interval '10 minutes'`).join(', ');
  const em = surroundings.database.em();
  await em.execute(`UPDATE webhook_delivery SET ${ago(['created_at', 'updated_at', 'next_attempt_at'])}`);
  await em.execute(`UPDATE appointment SET ${ago(['created_at'])}`);
  await em.execute(`UPDATE outbox SET ${ago(['created_at'])}`);
}

async function aReceiver() {
  const { tenantId } = await aClinic(surroundings.database);
  const receiver = await surroundings.startReceiver();
  const { endpointId } = await surroundings.subscribe(tenantId, receiver.url());
  return { tenantId, endpointId, receiver };
}

function statusOf({ id }: { id: string }): Promise<string> {
  return surroundings.database
    .em()
    .findOneOrFail(WebhookDeliveryEntity, { id })
    .then(({ status }) => status);
}

test('without a worker: the queues that no one polls, the deliveries and the no-shows that wait', async () => {
  const clinic = await aClinic(database);
  const delivery = await anEventFor(database, await aReceiver());
  const appointment = await book(database, clinic, { startsAt: inHours(-3), mayBackdate: true });
  expect(Object.keys((await examine()).wrong)).toEqual(['workers']);

  await tenMinutesPass();
  const { exitCode, wrong } = await examine();
  expect(exitCode).toBe(1);
  expect(wrong).toEqual({
    'outbox age': expect.stringContaining('2 waiting'),
    deliveries: expect.stringMatching(
      `^1 pending, attempt 1 overdue for up to 60\\d s \\(${delivery.id}\\): no worker has claimed it from the outbox$`,
    ),
    'no-shows': expect.stringMatching(
      `^1 appointments, .+ \\(${appointment.id}\\): no worker has claimed it`,
    ),
    workers:
      'is a worker running? No worker polls the task queues clinic (workflow tasks), clinic (activity tasks), clinic-background ' +
      '(activity tasks), webhook-delivery (workflow tasks), webhook-delivery (activity tasks)',
  });

  await database.em().execute('DELETE FROM outbox');
  const lost = await examine();
  expect(lost.wrong).toEqual({
    deliveries: expect.stringContaining(`${delivery.workflowId} is not running; the schedule reconcile`),
    'no-shows': expect.stringContaining(
      `appointment:${appointment.id} is not running; the schedule reconcile`,
    ),
    workers: wrong['workers'],
  });
  await database.em().execute(`
    UPDATE webhook_delivery SET status = 'skipped', next_attempt_at = NULL;
    UPDATE appointment SET status = 'cancelled', blocks = false
  `);
});

test('with the wrong ENCRYPTION_KEY: how many deliveries wait, for which attempt, and why; all well with the right one', async () => {
  const place = await aReceiver();
  place.receiver.script(answerWith(503));
  const right = await startProcess(surroundings.encryptionKey);
  expect(await examine()).toEqual({ exitCode: 0, wrong: {} });
  const retried = await anEventFor(surroundings.database, place);
  await until('a failure', async () => (await statusOf(retried)) === 'retrying');
  await right.stop();

  const wrong = await startProcess(randomBytes(32).toString('base64'));
  const first = await anEventFor(surroundings.database, place);
  await until('both faults', async () => {
    await tenMinutesPass();
    const { deliveries = '' } = (await examine()).wrong;
    return deliveries.match(/ENCRYPTION_KEY/g)?.length === 2;
  });
  const found = await examine();
  expect(found.exitCode).toBe(1);
  const [ofFirst, ofRetried] = found.wrong['deliveries']?.split('; ') ?? [];
  const [keyId] = TEST_SEALING.master.keyIds;
  const reason = `SecretUnreadableError, The value was encrypted with the key ${keyId}, which is not in ENCRYPTION_KEY`;
  expect(ofFirst).toMatch(RegExp(`^1 pending, attempt 1 overdue .+ \\(${first.id}\\): ${reason}$`));
  expect(ofRetried).toMatch(
    RegExp(
      `^1 retrying, attempt 2 overdue .+ \\(${retried.id}\\): activity attemptDelivery .+ has failed \\d+ times: ${reason}$`,
    ),
  );
  expect(found.wrong['outbox errors']).toContain(reason);
  expect(await wrong.metrics()).toEqual(
    expect.arrayContaining([
      'webhook_deliveries_overdue{status="pending",attempt="1"} 1',
      'webhook_deliveries_overdue{status="retrying",attempt="2"} 1',
      'webhook_deliveries_overdue{status="retrying",attempt="6"} 0',
      'no_shows_overdue 0',
      expect.stringMatching(/^webhook_attempt_faults_total\{fault="secret_unreadable"\} [1-9]/),
      expect.stringMatching(/^temporal_activity_execution_failed_total\{.*"attemptDelivery".*\} [1-9]/),
    ]),
  );
  await wrong.stop();

  const mended = await startProcess(surroundings.encryptionKey);
  for (const { id } of [first, retried]) {
    await adminWith(service())('delivery', 'retry-now', '--delivery', id);
    await until('the delivery', async () => (await statusOf({ id })) === 'succeeded');
  }
  await until('an empty outbox', async () => (await examine()).exitCode === 0);
  await mended.stop();
});

test('a workflow whose code fails is named, in the metrics too', async () => {
  const { temporal } = surroundings.namespace;
  const handle = await temporal.ask(({ workflow }) =>
    workflow.start('nobodyWroteThis', {
      taskQueue: CLINIC_QUEUE,
      workflowId: 'broken',
      args: [],
      // Temporal tells after some failures, and a task that fails again is left to time out.
      workflowTaskTimeout: '1 second',
    }),
  );
  const worker = await startProcess(surroundings.encryptionKey);
  await until('the problem to be reported', async () => 'workflows' in (await examine()).wrong);
  const { exitCode, wrong } = await examine();
  expect(exitCode).toBe(1);
  expect(wrong).toEqual({ workflows: 'workflows whose code fails: 1, for example broken' });
  expect(await worker.metrics()).toEqual(
    expect.arrayContaining([
      'workflows_failing 1',
      'temporal_up 1',
      'schedule_paused{schedule="reconcile"} 0',
      expect.stringMatching(/^temporal_workflow_task_execution_failed_total\{.*\} [1-9]/),
      expect.stringMatching(/^temporal_worker_task_slots_available\{.*"webhook-delivery".*\} [1-9]/),
      expect.stringMatching(/^task_queue_pollers\{task_queue="clinic-background",kind="activity"\} [1-9]/),
    ]),
  );
  await handle.terminate();
  await until('it to be well again', async () => (await examine()).exitCode === 0);
  await worker.stop();
});
