import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** Starts to listen; disposing closes all connections at once. Port 0 means any free port. */
export async function listenUntilDisposed(
  server: Server | HttpsServer,
  { host = '127.0.0.1', port = 0 } = {},
) {
  await once(server.listen(port, host), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose](): Promise<void> {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
