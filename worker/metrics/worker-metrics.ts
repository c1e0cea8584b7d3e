import { createProcessRegistry } from '../../adapters/metrics/process-metrics.ts';
import type { Database } from '../../db/connection/open-database.ts';
import type { Timings } from '../../domain/timings.ts';
import type { TemporalDoor } from '../temporal-door.ts';
import { createAttemptMetrics, type MeasureAttempts } from './attempt-metrics.ts';
import { createRowGauges } from './row-gauges.ts';
import { createTemporalGauges } from './temporal-gauges.ts';
import { createWorkMetrics, type WorkMetrics } from './work-metrics.ts';

export interface MetricsDependencies {
  database: Database;
  temporal: Pick<TemporalDoor, 'client'>;
  timings: Pick<Timings, 'noShowGraceSeconds' | 'retryDelaysSeconds'>;
  /** What Temporal's SDK measures of itself, as Prometheus reads it. */
  readSdkMetrics: () => Promise<string>;
}

export interface WorkerMetrics extends WorkMetrics {
  measureAttempts: MeasureAttempts;
  /** The text that Prometheus reads. What is not known now is NaN or left out. */
  expose: () => Promise<string>;
}

export function createWorkerMetrics(dependencies: MetricsDependencies): WorkerMetrics {
  const { database, temporal, timings, readSdkMetrics } = dependencies;
  const registry = createProcessRegistry(database);
  const readRows = createRowGauges(registry, database, timings);
  const askTemporal = createTemporalGauges(registry, temporal);
  return {
    ...createWorkMetrics(registry),
    measureAttempts: createAttemptMetrics(registry),
    async expose() {
      const [ofSdk] = await Promise.all([readSdkMetrics(), readRows(), askTemporal()]);
      return `${await registry.metrics()}${ofSdk}`;
    },
  };
}
