import { createServer } from 'node:http';
import type { MetricsAddress } from '../config/metrics-config.ts';
import { listenUntilDisposed } from '../connections/listen-until-disposed.ts';

/** Serves `/metrics` to Prometheus, at an address that clients of the API cannot reach. */
export function serveMetrics(expose: () => Promise<string>, address: MetricsAddress) {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end();
    return void expose().then(
      (text) => response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4' }).end(text),
      () => response.writeHead(503).end(),
    );
  });
  return listenUntilDisposed(server, address);
}
