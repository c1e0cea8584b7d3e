import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import {
  Worker,
  type NativeConnection,
  type WorkerOptions,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import type { ActivityDependencies } from '../activities/activity-dependencies.ts';
import type { Tracing } from '../adapters/tracing/tracing.ts';
import type { WorkerConfig } from './config.ts';
import type { TemporalDoor } from './temporal/temporal-door.ts';
import type { AttemptShares } from '../sending/attempt-shares.ts';
import { createDeliveryActivities } from '../activities/delivery.activities.ts';
import { createEndpointHealthActivities } from '../activities/endpoint-health.activities.ts';
import { createNoShowActivities } from '../activities/no-show.activities.ts';
import { createRecallActivities } from '../activities/recall.activities.ts';
import { createReconcileActivities } from '../activities/reconcile.activities.ts';
import { createRetentionActivities } from '../activities/retention.activities.ts';
import { createReplayActivities } from '../activities/replay.activities.ts';
import { DeferredRetries } from '../activities/deferred-retries.ts';
import type { SendAttempt } from '../sending/send-attempt.ts';
import { withSafeFailures } from '../activities/each-activity.ts';
import { createRunningWorkflows } from '../adapters/temporal/running-workflows.ts';
import { BACKGROUND_QUEUE, CLINIC_QUEUE, WEBHOOK_DELIVERY_QUEUE } from '../domain/temporal-names.ts';
import { createReachTemporal, createSignalRoom } from './temporal/carry-out.ts';
import type { WorkerLease } from './outbox/worker-lease.ts';
import { traceActivities, traceAttemptActivities } from './tracing/trace-work.ts';
import { untilReached } from '../adapters/connections/until-reached.ts';
import type { Logger } from '../adapters/logs/logger.ts';
import { pause } from '../adapters/timing/pause.ts';

const LOOK_EVERY_MS = 1000;

/** What the task queue workers need before Temporal is reachable. */
export interface QueueWorkerOptions extends Omit<ActivityDependencies, 'runningWorkflows'> {
  temporal: TemporalDoor;
  workflows: WorkerConfig['workflows'];
  /** Null when tracing is off. */
  tracing: Tracing | null;
}

/** What they need from Temporal. */
export interface ReachedTemporal {
  connection: NativeConnection;
  namespace: string;
  workflowBundle: WorkflowBundleOption;
}

type QueueOptions = QueueWorkerOptions & ReachedTemporal;

export type QueueWorkers = Awaited<ReturnType<typeof startQueueWorkers>>;

/** Starts the workers of all task queues, which run workflows and their activities while the lease lasts. */
export async function startQueueWorkers(
  options: QueueOptions,
  {
    client,
    shares,
    send,
    lease,
  }: { client: Client; shares: AttemptShares; send: SendAttempt; lease: WorkerLease },
) {
  const activities = createClinicActivities(options, client);
  const signalRoom = createSignalRoom(client, options.logger);
  const retries = new DeferredRetries({ ...options, shares, signalRoom });
  const attempts = { ...options, send: traceAttemptActivities(options.tracing, send), retries };
  const queues = workersOf(options, activities, createDeliveryActivities(attempts));
  const reachTemporal = createReachTemporal(options);
  const kept = await whileLeaseLasts(() => runWorkers(queues), { ...options, lease, reachTemporal });
  return {
    ended: kept.ended,
    async stop(): Promise<void> {
      retries.stop();
      await kept.stop();
    },
  };
}

async function runWorkers(queues: readonly WorkerOptions[]): Promise<RunningWorkers> {
  const workers = await Promise.all(queues.map((each) => Worker.create(each)));
  const runs = workers.map((worker) => worker.run());
  const ended = Promise.race([...runs, untilOneEnds(workers)]);
  ended.catch(() => undefined);
  return {
    ended,
    async stop() {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      await Promise.allSettled(runs);
      await Promise.all(runs);
    },
  };
}

/** Waits until one worker ends. A worker's own `run()` may never end after its polls are refused. */
async function untilOneEnds(workers: readonly Worker[]): Promise<void> {
  while (workers.every((worker) => worker.getState() === 'RUNNING')) await delay(LOOK_EVERY_MS);
}

function createClinicActivities(options: QueueWorkerOptions, client: Client) {
  const activities = withSafeFailures({
    ...createNoShowActivities(options),
    ...createEndpointHealthActivities(options),
    ...createReplayActivities(options),
    ...createRecallActivities(options),
    ...createRetentionActivities(options),
    ...createReconcileActivities({ ...options, runningWorkflows: createRunningWorkflows(client) }),
  });
  return traceActivities(options.tracing, activities);
}

/** The options of each queue's worker. */
function workersOf(options: QueueOptions, activities: object, attempts: object): WorkerOptions[] {
  const { workflowBundle, ...common } = commonOptions(options);
  return [
    {
      ...common,
      workflowBundle,
      taskQueue: CLINIC_QUEUE,
      // Includes background activities, for workflows that started before these had their own queue.
      activities,
      // Each needs a database connection.
      maxConcurrentActivityTaskExecutions: 10,
      // These workflows wait for hours. Replaying a short history is cheaper than caching it.
      maxCachedWorkflows: 60,
    },
    {
      // Mails and long scans: a silent mail server must not delay no-shows.
      ...common,
      taskQueue: BACKGROUND_QUEUE,
      activities,
      maxConcurrentActivityTaskExecutions: 10,
      // Few tasks come here, and each poller is a request that waits at the server.
      maxConcurrentActivityTaskPolls: 2,
    },
    {
      ...common,
      workflowBundle,
      taskQueue: WEBHOOK_DELIVERY_QUEUE,
      activities: withSafeFailures(attempts),
      // These mostly wait for receivers, at most ten seconds: enough for ten clinics.
      maxConcurrentActivityTaskExecutions: 200,
      // A delivery usually finishes within a second. Workflows that wait for a retry are replayed from their history.
      maxCachedWorkflows: 100,
      // Tasks that this worker does not start soon go to the shared queue, where clinics take turns.
      stickyQueueScheduleToStartTimeout: '1 second',
    },
  ];
}

function commonOptions({ connection, namespace, workflowBundle, workflows }: QueueOptions) {
  return {
    connection,
    namespace,
    workflowBundle,
    ...(workflows.areChangesHeld && { patchActivationCallback: () => false }),
    // An attempt may take ten seconds, and then its row is written.
    shutdownGraceTime: '12 seconds',
    // An outcome that could not be recorded must reach Temporal before this process ends.
    maxHeartbeatThrottleInterval: '1 second',
  } satisfies Partial<WorkerOptions>;
}

/** The running workers of some task queues. */
export interface RunningWorkers {
  /** Settles when the first one ends. */
  ended: Promise<void>;
  /** Takes no more tasks and waits for running ones. Rejects when a worker has failed. */
  stop: () => Promise<void>;
}

interface Options {
  lease: Pick<WorkerLease, 'mayHaveLapsed'>;
  /** Rejects when Temporal does not answer. */
  reachTemporal: () => Promise<unknown>;
  logger: Logger;
}

/**
 * Runs workers that leave their task queues while this process cannot reach the database, and join them again
 * afterwards. Otherwise such a worker would take tasks, fail them immediately, and take them again before healthy
 * workers could.
 */
export async function whileLeaseLasts(
  start: () => Promise<RunningWorkers>,
  { lease, reachTemporal, logger }: Options,
): Promise<RunningWorkers> {
  const stopping = new AbortController();
  const { signal } = stopping;
  let workers = await start();
  const takeTurns = async (): Promise<void> => {
    for (;;) {
      await Promise.race([workers.ended, untilLapsed(lease, signal)]);
      if (signal.aborted || !lease.mayHaveLapsed()) return;
      logger.warn('worker.queues_left');
      await workers.stop();
      while (lease.mayHaveLapsed() && !signal.aborted) await pause(LOOK_EVERY_MS, signal);
      if (signal.aborted) return;
      await untilReached('temporal', reachTemporal, { logger, signal });
      workers = await start();
      logger.info('worker.queues_joined');
    }
  };
  const ended = takeTurns();
  ended.catch(() => undefined);
  return {
    ended,
    async stop() {
      stopping.abort();
      await Promise.allSettled([ended]);
      await workers.stop();
    },
  };
}

/**
 * Waits until the lease has expired or `signal` aborts. It checks twice, because a process that was frozen finds its
 * lease expired and renews it immediately.
 */
async function untilLapsed(lease: Options['lease'], signal: AbortSignal): Promise<void> {
  for (let seen = 0; seen < 2 && !signal.aborted;) {
    await pause(LOOK_EVERY_MS, signal);
    seen = lease.mayHaveLapsed() ? seen + 1 : 0;
  }
}
