import { Counter, Histogram } from 'prom-client';
import { createDiskGauges } from '../../adapters/metrics/disk-gauges.ts';
import { createProcessRegistry, type WatchedDatabase } from '../../adapters/metrics/process-metrics.ts';

export interface ApiMetrics {
  /** @param route the path template, or `unmatched`: never a path that a caller made up */
  onRequest: (request: { method: string; route: string; status: number; seconds: number }) => void;
  /** @param outcome `admitted`, or the code of the refusal */
  onAdmission: (outcome: string) => void;
  /** Requests that are missing from the log of their keys. */
  onUnrecorded: (requests: number) => void;
  /** The text that Prometheus reads. */
  expose: () => Promise<string>;
}

/** Of a request, in seconds. */
const DURATIONS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** @param disks directories by the name of what they hold */
export function createApiMetrics(
  database: WatchedDatabase,
  disks: Readonly<Record<string, string>>,
): ApiMetrics {
  const registry = createProcessRegistry(database);
  const registers = [registry];
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Requests by route, method and status, from their arrival to the end of their answer',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATIONS,
    registers,
  });
  const admissions = new Counter({
    name: 'admissions_total',
    help: 'Requests with a key, admitted or refused for their key or its limits',
    labelNames: ['outcome'],
    registers,
  });
  const unrecorded = new Counter({
    name: 'requests_not_recorded_total',
    help: 'Requests that are missing from GET /v1/requests, because the database did not take them in time',
    registers,
  });
  createDiskGauges(registers, disks);
  const kinds = new Map<string, ReturnType<typeof requests.labels>>();
  return {
    onRequest({ method, route, status, seconds }) {
      const kind = `${method} ${route} ${status}`;
      let known = kinds.get(kind);
      if (!known) kinds.set(kind, (known = requests.labels(method, route, String(status))));
      known.observe(seconds);
    },
    onAdmission: (outcome) => admissions.inc({ outcome }),
    onUnrecorded: (lost) => unrecorded.inc(lost),
    expose: () => registry.metrics(),
  };
}
