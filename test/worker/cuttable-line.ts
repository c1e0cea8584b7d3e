import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { until } from '../support/until.ts';

/** A TCP line to a server that a test can disturb and fix, as if the server went away and came back. */
export interface CuttableLine {
  address: string;
  port: number;
  /** The same URL, such as a database's, by this line. */
  by(url: string): string;
  /** Waits until so many connections have been made. */
  connected(count: number): Promise<unknown>;
  /** Connections break, and new ones are refused. */
  cut(): void;
  /** Connections stay, and nothing comes through; what is said meanwhile arrives when it is fixed. */
  hush(): void;
  /** The connections that there are stay silent for good, as when their server is gone without a word; new ones reach another. */
  strand(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function layLine(target: string): Promise<CuttableLine> {
  const [host = '', port = ''] = target.split(':');
  /** Where each socket is to be read to. */
  const pipes = new Map<Socket, Socket>();
  let state: 'whole' | 'hushed' | 'cut' = 'whole';
  let made = 0;
  const server = createServer((near) => {
    made += 1;
    if (state === 'cut') return void near.destroy();
    const far = connect(Number(port), host);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      // A socket that breaks ends its counterpart; there is nothing else to do about it.
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        pipes.delete(socket);
        other.destroy();
      });
      pipes.set(socket, other);
      if (state === 'whole') socket.pipe(other);
    }
    return undefined;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: ownPort } = server.address() as AddressInfo;
  const silence = () => pipes.forEach((other, socket) => socket.unpipe(other).pause());
  const hangUp = () => pipes.forEach((_, socket) => socket.destroy());
  const address = `127.0.0.1:${ownPort}`;
  return {
    address,
    port: ownPort,
    by: (url) => Object.assign(new URL(url), { host: address }).href,
    connected: (count) => until('so many connections', () => Promise.resolve(made >= count)),
    cut() {
      state = 'cut';
      hangUp();
    },
    hush() {
      state = 'hushed';
      silence();
    },
    strand: silence,
    mend() {
      if (state === 'hushed') for (const [socket, other] of pipes) socket.pipe(other);
      state = 'whole';
    },
    async close() {
      hangUp();
      server.close();
      await once(server, 'close');
    },
  };
}
