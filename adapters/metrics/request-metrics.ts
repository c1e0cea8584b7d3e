import { Histogram, type Registry } from '@prometheus-io/client';

export interface MeasuredRequest {
  method: string;
  /** The route's path or `unmatched`, never the requested path. */
  route: string;
  status: number;
  seconds: number;
}

/** The limits of the histogram's buckets, in seconds. */
const DURATIONS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts requests and measures their duration. Returns the function to call for each. */
export function createRequestHistogram(registers: Registry[]): (request: MeasuredRequest) => void {
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of requests by route, method and status, from arrival to the end of the response',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATIONS,
    registers,
  });
  const kinds = new Map<string, ReturnType<typeof requests.labels>>();
  return ({ method, route, status, seconds }) => {
    const kind = `${method} ${route} ${status}`;
    let known = kinds.get(kind);
    if (!known) kinds.set(kind, (known = requests.labels(method, route, String(status))));
    known.observe(seconds);
  };
}
