import type { UnreadBytes } from '../adapters/connections/unread-bytes.ts';
import { createProcessRegistry, type WatchedDatabase } from '../adapters/metrics/process-metrics.ts';
import { createLostReads } from '../adapters/metrics/read-metrics.ts';
import { createRequestHistogram, type MeasuredRequest } from '../adapters/metrics/request-metrics.ts';
import { createUnreadGauge } from '../adapters/metrics/unread-gauge.ts';

export interface DashboardMetrics {
  onRequest: (request: MeasuredRequest) => void;
  onUnrecordedReads: (patients: number) => void;
  /** The text that Prometheus reads. */
  expose: () => Promise<string>;
}

/** The API's metrics of requests, process, responses and patient views. */
export function createDashboardMetrics(database: WatchedDatabase, unread: UnreadBytes): DashboardMetrics {
  const registry = createProcessRegistry(database);
  createUnreadGauge([registry], unread);
  return {
    onRequest: createRequestHistogram([registry]),
    onUnrecordedReads: createLostReads([registry]),
    expose: () => registry.metrics(),
  };
}
