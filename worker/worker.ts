import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import {
  Worker,
  type NativeConnection,
  type WorkerOptions,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import type { AttemptDependencies } from '../activities/attempt-delivery.ts';
import { AttemptShares } from '../activities/attempt-shares.ts';
import { createDeliveryActivities } from '../activities/delivery.activities.ts';
import { createEndpointHealthActivities } from '../activities/endpoint-health.activities.ts';
import { createNoShowActivities } from '../activities/no-show.activities.ts';
import { createRecallActivities } from '../activities/recall.activities.ts';
import { createReconcileActivities } from '../activities/reconcile.activities.ts';
import { createRetentionActivities } from '../activities/retention.activities.ts';
import { createReplayActivities } from '../activities/replay.activities.ts';
import { PutOffRetries } from '../activities/put-off-retries.ts';
import { createSendAttempt } from '../activities/send-attempt.ts';
import { withSafeFailures } from '../activities/safe-failures.ts';
import type { Logger } from '../adapters/logger.ts';
import type { Mailer } from '../adapters/mail/outgoing-mail.ts';
import type { SecretCipher } from '../adapters/secret-cipher.ts';
import { createRunningWorkflows } from '../adapters/temporal/running-workflows.ts';
import type { Tracing } from '../adapters/tracing/tracing.ts';
import type { WebhookClient } from '../adapters/webhooks/webhook-client.ts';
import type { Database } from '../db/connection/open-database.ts';
import { BACKGROUND_QUEUE, CLINIC_QUEUE, WEBHOOK_DELIVERY_QUEUE } from '../domain/temporal-names.ts';
import type { RetentionDays } from '../domain/retention.ts';
import type { Timings } from '../domain/timings.ts';
import type { WorkerMetrics } from './metrics/worker-metrics.ts';
import { createCarryOut, createStartWorkflow, createTellOfRoom } from './outbox/carry-out.ts';
import { startOutboxDispatcher } from './outbox/outbox-dispatcher.ts';
import { traceActivities, traceAttemptActivities, traceDispatchedAttempts } from './tracing/trace-work.ts';

const LOOK_EVERY_MS = 1000;

/** What is told of the work while it is done. */
export type WorkerObserver = Omit<WorkerMetrics, 'expose'>;

export interface ServiceWorkerOptions extends WorkerObserver {
  connection: NativeConnection;
  namespace: string;
  workflowBundle: WorkflowBundleOption;
  /** Held: workflows go on as the version before knows it. */
  workflowChanges: { areHeld: boolean };
  databaseUrl: string;
  database: Database;
  cipher: SecretCipher;
  webhookClient: WebhookClient;
  /** Null when this deployment sends no mail. */
  mailer: Mailer | null;
  timings: Timings;
  retention: RetentionDays;
  logger: Logger;
  clock: () => Date;
  /** Null: nobody follows requests. */
  tracing: Tracing | null;
}

export interface ServiceWorker {
  /** Settles with the first part that ends, which none does before `stop` unless it fails. */
  ended: Promise<void>;
  /** Takes no more work, waits for what is under way. Rejects when a part has failed. */
  stop(): Promise<void>;
}

/** Everything between the outbox and the receivers: the workers of all queues and the outbox dispatcher. */
export async function startServiceWorker(options: ServiceWorkerOptions): Promise<ServiceWorker> {
  const { connection, namespace } = options;
  const client = new Client({ connection, namespace });
  const send = options.measureAttempts(createSendAttempt(options));
  const activities = createClinicActivities(options, client);
  const shares = new AttemptShares();
  const retries = createPutOffRetries(options, client, shares);
  const workers = await Promise.all([
    createClinicWorker(options, activities),
    createBackgroundWorker(options, activities),
    createDeliveryWorker(options, {
      ...options,
      send: traceAttemptActivities(options.tracing, send),
      retries,
    }),
  ]);
  const runs = workers.map((worker) => worker.run());
  const ended = Promise.race([...runs, untilOneEnds(workers)]);
  // Whoever stops it without having waited for its end learns of a failure there.
  ended.catch(() => undefined);
  // Started after the workers, whose slots the eager starts fill.
  const telling = { ...options, client };
  const dispatcher = startOutboxDispatcher({
    ...options,
    shares,
    send: traceDispatchedAttempts(options.tracing, send),
    start: createStartWorkflow(telling),
    carryOut: createCarryOut(telling),
  });
  return {
    ended,
    async stop() {
      await dispatcher.stop();
      retries.stop();
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      await Promise.allSettled(runs);
      await Promise.all(runs);
    },
  };
}

function createPutOffRetries(options: ServiceWorkerOptions, client: Client, shares: AttemptShares) {
  const tellOfRoom = createTellOfRoom(client, options.logger);
  return new PutOffRetries({ ...options, shares, tellOfRoom });
}

/** Besides its `run()`, which may wait for itself for ever once its polls are refused. */
async function untilOneEnds(workers: readonly Worker[]): Promise<void> {
  while (workers.every((worker) => worker.getState() === 'RUNNING')) await delay(LOOK_EVERY_MS);
}

function createClinicActivities(options: ServiceWorkerOptions, client: Client) {
  const graceSeconds = options.timings.noShowGraceSeconds;
  const activities = withSafeFailures({
    ...createNoShowActivities({ ...options, graceSeconds }),
    ...createEndpointHealthActivities(options),
    ...createReplayActivities(options),
    ...createRecallActivities(options),
    ...createRetentionActivities(options),
    ...createReconcileActivities({ ...options, runningWorkflows: createRunningWorkflows(client) }),
  });
  return traceActivities(options.tracing, activities);
}

/** Also offers the background activities, for workflows that asked for one while they had no queue of their own. */
function createClinicWorker(options: ServiceWorkerOptions, activities: object): Promise<Worker> {
  return Worker.create({
    ...common(options),
    taskQueue: CLINIC_QUEUE,
    activities,
    // Each needs a database connection.
    maxConcurrentActivityTaskExecutions: 10,
    // These wait for hours: one that wakes is replayed from its short history sooner than kept.
    maxCachedWorkflows: 60,
  });
}

/** Mails and long scans: a mail server that stays silent must not keep no-shows waiting. */
function createBackgroundWorker(options: ServiceWorkerOptions, activities: object): Promise<Worker> {
  const { workflowBundle: _none, ...withoutWorkflows } = common(options);
  return Worker.create({
    ...withoutWorkflows,
    taskQueue: BACKGROUND_QUEUE,
    activities,
    maxConcurrentActivityTaskExecutions: 10,
    // Few tasks come here, and each poller is a request that waits at the engine.
    maxConcurrentActivityTaskPolls: 2,
  });
}

function createDeliveryWorker(options: ServiceWorkerOptions, attempts: AttemptDependencies): Promise<Worker> {
  return Worker.create({
    ...common(options),
    taskQueue: WEBHOOK_DELIVERY_QUEUE,
    activities: withSafeFailures(createDeliveryActivities(attempts)),
    // They mostly wait for receivers, ten seconds at worst: ten clinics' shares.
    maxConcurrentActivityTaskExecutions: 200,
    // A delivery comes back within a second as a rule; the ones that wait for a retry are replayed.
    maxCachedWorkflows: 100,
    // What this worker does not get to soon goes to the queue of all, where clinics take turns.
    stickyQueueScheduleToStartTimeout: '1 second',
  });
}

function common({ connection, namespace, workflowBundle, workflowChanges }: ServiceWorkerOptions) {
  return {
    connection,
    namespace,
    workflowBundle,
    ...(workflowChanges.areHeld && { patchActivationCallback: () => false }),
    // An attempt may take ten seconds, and then its row is written.
    shutdownGraceTime: '12 seconds',
    // An outcome that could not be recorded has to reach Temporal before this process ends.
    maxHeartbeatThrottleInterval: '1 second',
  } satisfies Partial<WorkerOptions>;
}
