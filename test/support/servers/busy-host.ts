import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A host that accepts no connections while it is busy: SYN packets are dropped. */
export interface BusyHost {
  port: number;
  /** Accepts connections from now on, and forwards them to the receiver. */
  recover(): void;
  close(): Promise<void>;
}

const LISTEN = `
  const { connect, createServer } = require('node:net');
  const [host, port, receiverPort] = process.argv.slice(1);
  const server = createServer((socket) => {
    const receiver = connect(Number(receiverPort), '127.0.0.1').on('error', () => socket.destroy());
    socket.on('error', () => receiver.destroy()).pipe(receiver).pipe(socket);
  });
  server.listen({ host, port: Number(port), backlog: 1 }, () => console.log(server.address().port));`;

export async function startBusyHost(options: {
  host: string;
  port?: number;
  receiverPort: number;
}): Promise<BusyHost> {
  const { host, port = 0, receiverPort } = options;
  const args = ['-e', LISTEN, host, String(port), String(receiverPort)];
  const server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(server.stdout, 'data')) as [Buffer];
  server.kill('SIGSTOP');
  const waiting = await fillQueue(host, Number(line));
  return {
    port: Number(line),
    recover: () => void server.kill('SIGCONT'),
    async close() {
      for (const socket of waiting) socket.destroy();
      server.kill('SIGKILL');
      await once(server, 'exit');
    },
  };
}

/** Connections that only the kernel has accepted wait in the queue; it is full when one does not get in. */
async function fillQueue(host: string, port: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (;;) {
    const socket = connect(port, host).on('error', () => socket.destroy());
    sockets.push(socket);
    const got = await Promise.race([once(socket, 'connect'), isLeftOut(socket)]);
    if (got === 'left out') return sockets;
  }
}

/** On this machine's own addresses a connection that is taken is there at once. */
function isLeftOut(socket: Socket): Promise<'left out'> {
  return new Promise((resolve) => socket.setTimeout(500, () => resolve('left out')));
}
