import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limitConnections } from '../../adapters/connections/connection-places.ts';
import { namesOneHost } from '../../adapters/connections/host-header.ts';
import { InFlight } from '../../adapters/process/in-flight.ts';

/**
 * How long open requests may run when the process stops, and how much longer requests of disconnected clients may run.
 */
const DRAIN_MS = 10_000;
/** docs/dashboard.md#connections */
const MOST = { most: 1000, mostOfAnAddress: 250 };
const MAX_BEHIND_PROXY = { most: 1000, mostOfAnAddress: 1000 };
/** Time limits for receiving a request. Forms are small, so slow senders are disconnected. */
const TIMES = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  keepAliveTimeout: 72_000,
  connectionsCheckingInterval: 2000,
};

export interface Listening extends AsyncDisposable {
  port: number;
}

export interface ListenOptions {
  host: string;
  port: number;
  /** Whether all connections come from a proxy. */
  isBehindProxy?: boolean;
  /** Aborts when the process is about to stop: connections then close after their next response. */
  leaving?: AbortSignal;
}

export type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Starts to listen; disposing stops it and lets open requests finish, also those whose client disconnected. */
export async function listen(handle: Handle, options: ListenOptions): Promise<Listening> {
  const { host, port, isBehindProxy = false, leaving } = options;
  const inFlight = new InFlight();
  const server = createServer(TIMES, (request, response) => {
    if (leaving?.aborted) response.setHeader('Connection', 'close');
    if (!namesOneHost(request)) return void response.writeHead(400, { Connection: 'close' }).end();
    inFlight.add(handle(request, response));
  });
  const most = isBehindProxy ? MAX_BEHIND_PROXY : MOST;
  limitConnections(server, { ...most, countsIdle: true }, (oneTooMany) => oneTooMany.destroy());
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
      await inFlight.ended(DRAIN_MS);
    },
  };
}
