import { createProcessRegistry, type WatchedDatabase } from '../adapters/metrics/process-metrics.ts';
import { createRequestHistogram, type MeasuredRequest } from '../adapters/metrics/request-metrics.ts';

export interface DashboardMetrics {
  onRequest: (request: MeasuredRequest) => void;
  /** The text that Prometheus reads. */
  expose: () => Promise<string>;
}

/** The same as the API's of requests and of the process. */
export function createDashboardMetrics(database: WatchedDatabase): DashboardMetrics {
  const registry = createProcessRegistry(database);
  return { onRequest: createRequestHistogram([registry]), expose: () => registry.metrics() };
}
