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

/** What the workers of the task queues are made with before Temporal is reached … */
export interface QueueWorkerOptions extends Omit<ActivityDependencies, 'runningWorkflows'> {
  temporal: TemporalDoor;
  workflows: WorkerConfig['workflows'];
  /** Null: no one follows requests. */
  tracing: Tracing | null;
}

/** … and what they need of it. */
export interface ReachedTemporal {
  connection: NativeConnection;
  namespace: string;
  workflowBundle: WorkflowBundleOption;
}

type QueueOptions = QueueWorkerOptions & ReachedTemporal;

export type QueueWorkers = Awaited<ReturnType<typeof startQueueWorkers>>;

/** The workers of all task queues, what workflows and their activities run in, for as long as the lease lasts. */
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

/** Besides its `run()`, which may wait for itself for ever once its polls are refused. */
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

/** What the worker of each queue is made with. */
function workersOf(options: QueueOptions, activities: object, attempts: object): WorkerOptions[] {
  const { workflowBundle, ...common } = commonOptions(options);
  return [
    {
      ...common,
      workflowBundle,
      taskQueue: CLINIC_QUEUE,
      // The background ones too, for workflows that asked for one while they had no queue of their own.
      activities,
      // Each needs a database connection.
      maxConcurrentActivityTaskExecutions: 10,
      // These wait for hours: one that wakes is replayed from its short history sooner than kept.
      maxCachedWorkflows: 60,
    },
    {
      // Mails and long scans: a mail server that stays silent must not keep no-shows waiting.
      ...common,
      taskQueue: BACKGROUND_QUEUE,
      activities,
      maxConcurrentActivityTaskExecutions: 10,
      // Few tasks come here, and each poller is a request that waits at the engine.
      maxConcurrentActivityTaskPolls: 2,
    },
    {
      ...common,
      workflowBundle,
      taskQueue: WEBHOOK_DELIVERY_QUEUE,
      activities: withSafeFailures(attempts),
      // They mostly wait for receivers, ten seconds at worst: ten clinics' shares.
      maxConcurrentActivityTaskExecutions: 200,
      // A delivery comes back within a second as a rule; the ones that wait for a retry are replayed.
      maxCachedWorkflows: 100,
      // What this worker does not get to soon goes to the queue of all, where clinics take turns.
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
    // An outcome that could not be recorded has to reach Temporal before this process ends.
    maxHeartbeatThrottleInterval: '1 second',
  } satisfies Partial<WorkerOptions>;
}

/** Workers of some task queues. */
export interface RunningWorkers {
  /** Settles with the first one that ends. */
  ended: Promise<void>;
  /** Takes no more tasks and waits for those under way. Rejects when one has failed. */
  stop: () => Promise<void>;
}

interface Options {
  lease: Pick<WorkerLease, 'mayHaveLapsed'>;
  /** Rejects unless Temporal answers. */
  reachTemporal: () => Promise<unknown>;
  logger: Logger;
}

/**
 * Workers that leave their queues while this process does not reach the database, and join them again. Cut off alone, it would take
 * the tasks, fail them at once and so be the first to take them again, before the workers that could carry them out.
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

/** Seen twice, because a process that stood still finds its lease lapsed and renews it at once. Ends at `signal` too. */
async function untilLapsed(lease: Options['lease'], signal: AbortSignal): Promise<void> {
  for (let seen = 0; seen < 2 && !signal.aborted;) {
    await pause(LOOK_EVERY_MS, signal);
    seen = lease.mayHaveLapsed() ? seen + 1 : 0;
  }
}
