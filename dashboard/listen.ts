import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Those under way may finish for so long. */
const DRAIN_MS = 10_000;
const MOST_CONNECTIONS = 1000;
/** A form is small; whoever sends one slowly is given up. */
const TIMES = { headersTimeout: 20_000, requestTimeout: 30_000, keepAliveTimeout: 72_000 };

export interface Listening extends AsyncDisposable {
  port: number;
}

/** Starts to listen; disposing stops it and lets requests under way finish. */
export async function listen(
  handle: RequestListener,
  { host, port }: { host: string; port: number },
): Promise<Listening> {
  const server = createServer(TIMES, handle);
  server.maxConnections = MOST_CONNECTIONS;
  server.listen({ host, port });
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      const impatience = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
      server.close();
      server.closeIdleConnections();
      await once(server, 'close');
      clearTimeout(impatience);
    },
  };
}
