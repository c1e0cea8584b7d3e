import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from '@jest/globals';
import { keepSchedules } from '../../adapters/temporal/schedules.ts';
import { retryDeliveryNow } from '../../commands/webhooks/sending-again/retry-now.ts';
import { WebhookDeliveryEntity } from '../../db/entities/webhooks/webhook-delivery.entity.ts';
import { NO_SHOW_IS_DUE_NO_MORE } from '../../workflows/patches.ts';
import { startApiProcess } from '../support/servers/api-process.ts';
import { aClinic } from '../support/clinic.ts';
import { answerWith } from '../support/servers/receiver.ts';
import { until } from '../support/until.ts';
import { anEventFor } from '../webhooks/recorded-attempts.ts';
import { createWorkerSurroundings } from '../worker/running-worker.ts';
import { startWorkerProcess, type WorkerProcess } from '../worker/worker-process.ts';
import { aBusyClinic } from './busy-clinic.ts';
import { moody } from './moody-receiver.ts';
import { otherVersion } from './other-version.ts';
import { expectSharedWorkflows, workflowTasks } from './workflow-tasks.ts';
import { forSuite } from '../support/for-suite.ts';

const DELIVERIES = 'workflows/webhook-delivery.workflow.ts';
const NO_SHOWS = 'workflows/appointment-no-show.workflow.ts';
const PATCH = 'looked-at-before-each-retry';
const RETRY = '      report = await attempt(report);\n';

const BOOKINGS_A_STEP = 10;
/** Six workers start one after the other. */
const LIMIT_MS = 900_000;

// Each version asks for other commands than its neighbour, of no-show timers or of deliveries.
const before = await otherVersion(
  { file: NO_SHOWS, here: '  defineSignal,\n', there: '  defineSignal,\n  patched,\n' },
  { file: NO_SHOWS, here: 'wasPatched(NO_SHOW', there: 'patched(NO_SHOW' },
);
const after = await otherVersion({
  file: DELIVERIES,
  here: RETRY,
  there: `      if (patched('${PATCH}')) await reviewDelivery(delivery);\n${RETRY}`,
});
const surroundings = await forSuite(createWorkerSurroundings());
const { databaseUrl, namespace, encryptionKey, database } = surroundings;
const directory = await mkdtemp(join(tmpdir(), 'rollout-test-'));
await writeFile(join(directory, 'ca.pem'), surroundings.authority.caPem);
await surroundings.namespace.temporal.ask(keepSchedules);
afterEach(() => {
  for (const { child } of running) child.kill('SIGKILL');
  running.clear();
});
afterAll(async () => {
  await rm(directory, { recursive: true });
  for (const version of [before, after]) await version[Symbol.asyncDispose]();
});

/** What an operator has at hand: the old version, and the new one as it is started first and last. */
type Worker = 'old' | 'new, held' | 'new';
const running = new Set<WorkerProcess>();

/** Puts this worker in the place of the one that runs; `meanwhile` both share the work. */
async function replaceBy(
  next: Worker,
  meanwhile: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const leaving = [...running.values()];
  const started = startWorkerProcess(environmentOf(next), (next === 'old' ? before : after).directory);
  running.add(started);
  await started.ready;
  await meanwhile();
  for (const worker of leaving) {
    running.delete(worker);
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
  }
}

function environmentOf(worker: Worker): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: namespace.address,
    TEMPORAL_NAMESPACE: namespace.namespace,
    ENCRYPTION_KEY: encryptionKey,
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
    WEBHOOK_CA_FILE: join(directory, 'ca.pem'),
    WEBHOOK_RETRY_DELAYS_SECONDS: '1,1,3600,3600,3600',
    ...(worker === 'new, held' && { WORKFLOW_CHANGES: 'held' }),
  };
}

function patched(name: string): Promise<number> {
  return surroundings.namespace.temporal.ask(async ({ workflow }) => {
    const { count } = await workflow.count(`TemporalChangeVersion = '${name}'`);
    return count;
  });
}

test(
  'old and new workers under bookings, in both directions: nothing is lost, no workflow task fails',
  async () => {
    const receiver = await surroundings.startReceiver();
    const events = moody(receiver, 3);
    const settings = { ENCRYPTION_KEY: encryptionKey, RATE_LIMITS_DISABLED: 'true' };
    await using api = await startApiProcess(surroundings.databaseUrl, settings);
    await replaceBy('old');
    const clinic = await aBusyClinic(surroundings, api.url, events);
    const inARow: Worker[] = ['new, held', 'old', 'new, held', 'new', 'new, held'];
    for (const next of inARow) {
      await clinic.bookings(BOOKINGS_A_STEP);
      await replaceBy(next, () => clinic.bookings(BOOKINGS_A_STEP));
    }
    await clinic.bookings(BOOKINGS_A_STEP);
    const caused = await clinic.stop();

    await events.hasEachOnce(database, caused);
    await expectSharedWorkflows(surroundings);
    for (const name of [NO_SHOW_IS_DUE_NO_MORE, PATCH]) expect(await patched(name)).toBeGreaterThan(0);
  },
  LIMIT_MS,
);

test('the old version after the changes were made: it fails tasks of what has gone a new way, and the new one goes on with it', async () => {
  const { tenantId } = await aClinic(database);
  const receiver = await surroundings.startReceiver();
  receiver.otherwise(answerWith(503));
  const { endpointId } = await surroundings.subscribe(tenantId, receiver.url());
  await replaceBy('new');
  const { id: deliveryId } = await anEventFor(database, { tenantId, endpointId });
  await receiver.received(3);
  await replaceBy('old');
  await database.write((em) => retryDeliveryNow(em, { tenantId, deliveryId }));
  await until('a task that fails', async () =>
    (await workflowTasks(surroundings)).some(({ failed }) => failed > 0),
  );
  receiver.otherwise(answerWith(200));
  await replaceBy('new, held');
  await until('the delivery', () =>
    database.em().findOne(WebhookDeliveryEntity, { id: deliveryId, status: 'succeeded' }),
  );
});
