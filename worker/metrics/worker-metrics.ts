import { Counter, Histogram, type Registry, Gauge } from '@prometheus-io/client';
import { createCachedAnswer } from '../../adapters/timing/cached-answer.ts';
import { createRunningWorkflows } from '../../adapters/temporal/running-workflows.ts';
import { findLostRetries } from '../../commands/diagnosis/overdue-checks.ts';
import { createProcessRegistry } from '../../adapters/metrics/process-metrics.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { RETRY_DELAYS_SECONDS } from '../../domain/webhooks/retry-schedule.ts';
import type { TemporalDoor } from '../temporal/temporal-door.ts';
import { createRowGauges } from './row-gauges.ts';
import { createTemporalGauges } from './temporal-gauges.ts';
import type { ActivityDependencies } from '../../activities/activity-dependencies.ts';
import { RECONCILE_PARTS } from '../../domain/reconcile.ts';
import { RETENTION_CLASSES } from '../../domain/retention.ts';
import type { CarryOutOptions } from '../temporal/carry-out.ts';
import { AttemptNotBegun } from '../../adapters/webhooks/attempt-failure.ts';
import type { SendAttempt } from '../../sending/send-attempt.ts';
import { SecretUnreadableError } from '../../domain/encryption/text-cipher.ts';
import { ERROR_CLASSES } from '../../domain/webhooks/attempt-error.ts';

/**
 * Time limits for finding lost retries. With a large backlog, reading the rows takes seconds, and an unavailable
 * Temporal must not delay the other metrics.
 */
const TIMES_OF_LOST = { deadlineMs: 4000, freshMs: 15_000, patienceMs: 500, restFactor: 10 };

export interface MetricsDependencies {
  database: Database;
  temporal: Pick<TemporalDoor, 'client'>;
  /** The metrics of Temporal's SDK in Prometheus format. */
  readSdkMetrics: () => Promise<string>;
}

export type WorkerMetrics = ReturnType<typeof createWorkerMetrics>;

export function createWorkerMetrics(dependencies: MetricsDependencies) {
  const { database, temporal, readSdkMetrics } = dependencies;
  const registry = createProcessRegistry(database);
  const lost = async () => findLostRetries(database.em(), createRunningWorkflows(temporal.client()));
  const findLost = createCachedAnswer(lost, TIMES_OF_LOST);
  const readRows = createRowGauges(registry, { database, findLost });
  const askTemporal = createTemporalGauges(registry, temporal);
  return {
    ...createWorkMetrics(registry),
    measureAttempts: createAttemptMetrics(registry),
    /** The text for Prometheus. Unknown values are NaN or left out. */
    expose: async (): Promise<string> => {
      const [ofSdk] = await Promise.all([readSdkMetrics(), readRows(), askTemporal()]);
      return `${await registry.metrics()}${ofSdk}`;
    },
  };
}

/** Called with what this process has done. */
type WorkMetrics = Pick<CarryOutOptions, 'onStart'> &
  Pick<ActivityDependencies, 'onNoShow' | 'onReconciled' | 'onPruned'>;

/** Seconds. Timers fire within one second; reconciliation marks no-shows that are minutes late. */
const LATENESS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600];

function createWorkMetrics(registry: Registry): WorkMetrics {
  const registers = [registry];
  const starts = new Counter({
    name: 'workflow_starts_total',
    help: 'Workflows started from the outbox. Eager starts received their first workflow task in the response',
    labelNames: ['workflow', 'eager'],
    registers,
  });
  const lateness = new Histogram({
    name: 'no_show_lateness_seconds',
    help: 'Time from the end of the grace period to the no-show mark',
    buckets: LATENESS,
    registers,
  });
  const ofPart = (name: string, help: string) => {
    const counter = new Counter({ name, help, labelNames: ['part'], registers });
    for (const part of RECONCILE_PARTS) counter.inc({ part }, 0);
    return counter;
  };
  const repairs = ofPart('reconcile_repaired_total', 'Differences that reconciliation has repaired');
  const failures = ofPart('reconcile_failed_total', 'Rows that reconciliation could not repair');
  const pruned = new Counter({
    name: 'retention_pruned_total',
    help: 'Rows that retention has deleted or emptied',
    labelNames: ['class'],
    registers,
  });
  for (const each of RETENTION_CLASSES) pruned.inc({ class: each }, 0);
  return {
    onStart: ({ workflowType, eager }) => starts.inc({ workflow: workflowType, eager: String(eager) }),
    onNoShow: ({ lateMs }) => lateness.observe(lateMs / 1000),
    onReconciled({ part, repaired, failed }) {
      repairs.inc({ part }, repaired);
      failures.inc({ part }, failed);
    },
    onPruned: (done) => pruned.inc({ class: done.class }, done.pruned),
  };
}

/** Seconds. Receivers have ten; first attempts take longer only if something is wrong. */
const DURATIONS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const DELAYS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];

/** Returns a wrapper that measures the attempts of a `send`. */
function createAttemptMetrics(registry: Registry) {
  const { attempts, duration, firstDelay, faults, inFlight } = defineMetrics(registry);
  return (send: SendAttempt): SendAttempt =>
    async (delivery, attempt, right) => {
      inFlight.inc();
      try {
        const made = await send(delivery, attempt, right);
        const outcome = { outcome: made.outcome, error_class: made.errorClass ?? 'none' };
        attempts.inc({ ...outcome, attempt });
        duration.observe(outcome, made.durationMs / 1000);
        // Some events carry the clock of the process that caused them, which may differ from the database's.
        const waitedMs = Math.max(0, made.startedAt.getTime() - delivery.askedAtMs);
        if (attempt === 1) firstDelay.observe(waitedMs / 1000);
        return made;
      } catch (error) {
        if (error instanceof AttemptNotBegun) throw error;
        faults.inc({ fault: error instanceof SecretUnreadableError ? 'secret_unreadable' : 'other' });
        throw error;
      } finally {
        inFlight.dec();
      }
    };
}

function defineMetrics(registry: Registry) {
  const registers = [registry];
  const faults = new Counter({
    name: 'webhook_attempt_faults_total',
    help: 'Attempts that could not be made because of a fault in this service',
    labelNames: ['fault'],
    registers,
  });
  for (const fault of ['secret_unreadable', 'other']) faults.inc({ fault }, 0);
  return {
    faults,
    attempts: createAttemptCounter(registers),
    duration: new Histogram({
      name: 'webhook_attempt_duration_seconds',
      help: 'Time that receivers took to respond',
      labelNames: ['outcome', 'error_class'],
      buckets: DURATIONS,
      registers,
    }),
    firstDelay: new Histogram({
      name: 'webhook_first_attempt_delay_seconds',
      help: 'Time from the event to the start of its first attempt',
      buckets: DELAYS,
      registers,
    }),
    inFlight: new Gauge({
      name: 'webhook_attempts_in_flight',
      help: 'Attempts in progress in this process',
      registers,
    }),
  };
}

/**
 * Creates every label combination at startup, because otherwise Prometheus would not see the first failure as an
 * increase.
 */
function createAttemptCounter(registers: Registry[]) {
  const attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Attempts of webhook deliveries by outcome and number',
    labelNames: ['outcome', 'error_class', 'attempt'],
    registers,
  });
  for (const attempt of [1, ...RETRY_DELAYS_SECONDS.map((_, at) => at + 2)]) {
    attempts.inc({ outcome: 'succeeded', error_class: 'none', attempt }, 0);
    for (const error_class of ERROR_CLASSES) attempts.inc({ outcome: 'failed', error_class, attempt }, 0);
  }
  return attempts;
}
