import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP line to a server that a test can cut and mend, as if the server went away and came back. */
export interface CuttableLine {
  address: string;
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function layLine(target: string): Promise<CuttableLine> {
  const [host = '', port = ''] = target.split(':');
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(Number(port), host);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      // A socket that breaks ends its counterpart; there is nothing else to do about it.
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
    return undefined;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const hangUp = () => sockets.forEach((socket) => socket.destroy());
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true;
      hangUp();
    },
    mend() {
      isCut = false;
    },
    async close() {
      hangUp();
      server.close();
      await once(server, 'close');
    },
  };
}
