import { createSteadyAnswer } from '../../adapters/timing/steady-answer.ts';
import { createRunningWorkflows } from '../../adapters/temporal/running-workflows.ts';
import { findLostRetries } from '../../commands/diagnosis/overdue-checks.ts';
import { createProcessRegistry } from '../../adapters/metrics/process-metrics.ts';
import type { Database } from '../../db/connection/open-database.ts';
import type { Timings } from '../../domain/timings.ts';
import type { TemporalDoor } from '../temporal/temporal-door.ts';
import { createAttemptMetrics } from './attempt-metrics.ts';
import { createRowGauges } from './row-gauges.ts';
import { createTemporalGauges } from './temporal-gauges.ts';
import { createWorkMetrics } from './work-metrics.ts';

/** In a large backlog the rows take seconds to read; Temporal, when it is away, must not keep what the rows say from being told. */
const TIMES_OF_LOST = { deadlineMs: 4000, freshMs: 15_000, patienceMs: 500, restFactor: 10 };

export interface MetricsDependencies {
  database: Database;
  temporal: Pick<TemporalDoor, 'client'>;
  timings: Pick<Timings, 'noShowGraceSeconds' | 'retryDelaysSeconds'>;
  /** What Temporal's SDK measures of itself, as Prometheus reads it. */
  readSdkMetrics: () => Promise<string>;
}

export type WorkerMetrics = ReturnType<typeof createWorkerMetrics>;

export function createWorkerMetrics(dependencies: MetricsDependencies) {
  const { database, temporal, timings, readSdkMetrics } = dependencies;
  const registry = createProcessRegistry(database);
  const lost = async () => findLostRetries(database.em(), createRunningWorkflows(temporal.client()));
  const findLost = createSteadyAnswer(lost, TIMES_OF_LOST);
  const readRows = createRowGauges(registry, { database, timings, findLost });
  const askTemporal = createTemporalGauges(registry, temporal);
  return {
    ...createWorkMetrics(registry),
    measureAttempts: createAttemptMetrics(registry),
    /** The text that Prometheus reads. What is not known now is NaN or left out. */
    expose: async (): Promise<string> => {
      const [ofSdk] = await Promise.all([readSdkMetrics(), readRows(), askTemporal()]);
      return `${await registry.metrics()}${ofSdk}`;
    },
  };
}
