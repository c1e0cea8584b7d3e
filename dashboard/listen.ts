import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { watchUnasking } from '../adapters/unasking-connections.ts';

/** Those under way may finish for so long. */
const DRAIN_MS = 10_000;
const MOST_CONNECTIONS = 1000;
/** A form is small; whoever sends one slowly is given up. */
const TIMES = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  keepAliveTimeout: 72_000,
  connectionsCheckingInterval: 2000,
};

export interface Listening extends AsyncDisposable {
  port: number;
}

/** Starts to listen; disposing stops it and lets requests under way finish. */
export async function listen(
  handle: RequestListener,
  { host, port }: { host: string; port: number },
): Promise<Listening> {
  const server = createServer(TIMES, handle);
  limitConnections(server);
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

/** One more takes the place of whoever has not asked anything for longest; it is hung up on when all others have. */
function limitConnections(server: Server): void {
  const unasking = watchUnasking(server, { countsIdle: true });
  let open = 0;
  server.on('connection', (socket) => {
    open += 1;
    socket.once('close', () => (open -= 1));
    if (open > MOST_CONNECTIONS && !unasking.makeRoomFor(socket)) socket.destroy();
  });
}
