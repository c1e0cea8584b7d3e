import { createProcessRegistry, type WatchedDatabase } from '../adapters/metrics/process-metrics.ts';
import { createReadLoss } from '../adapters/metrics/read-metrics.ts';
import { createRequestHistogram, type MeasuredRequest } from '../adapters/metrics/request-metrics.ts';

export interface DashboardMetrics {
  onRequest: (request: MeasuredRequest) => void;
  onUnrecordedReads: (patients: number) => void;
  /** The text that Prometheus reads. */
  expose: () => Promise<string>;
}

/** The same as the API's of requests, of the process, and of what was read. */
export function createDashboardMetrics(database: WatchedDatabase): DashboardMetrics {
  const registry = createProcessRegistry(database);
  return {
    onRequest: createRequestHistogram([registry]),
    onUnrecordedReads: createReadLoss([registry]),
    expose: () => registry.metrics(),
  };
}
