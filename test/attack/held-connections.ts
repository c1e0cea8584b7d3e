import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import { aFullClinic, BIG_LIST, moreKeys, send, type Attack, type Target } from './target.ts';

/** Sockets that ask and read nothing, or a little at a time. */
export function unread(
  name: string,
  { sockets, asks = 1, reads = 0 }: { sockets: number; asks?: number; reads?: number },
): Attack {
  return {
    name,
    async prepare(target) {
      const clinic = await aFullClinic(target);
      const keys = [clinic.key, ...(await moreKeys(target, clinic, 9))];
      return (seconds) => holdSockets(target, seconds, { keys, sockets, asks, reads });
    },
  };
}

async function holdSockets(
  { apiUrl }: Target,
  seconds: number,
  { keys, sockets, asks, reads }: { keys: string[]; sockets: number; asks: number; reads: number },
): Promise<string> {
  let closed = 0;
  const { hostname, port } = new URL(apiUrl);
  const open: Socket[] = [];
  for (let i = 0; i < sockets; i += 1) {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => undefined).on('close', () => (closed += 1));
    socket.pause();
    await once(socket, 'connect');
    const asked = `GET ${BIG_LIST} HTTP/1.1\r\nHost: api\r\nAuthorization: Bearer ${keys[i % keys.length]}\r\n\r\n`;
    socket.write(asked.repeat(asks));
    open.push(socket);
    // Below the limit of the clinic, so that each request is admitted.
    await pause(12);
  }
  for (let passed = 0; passed < seconds; passed += 1) {
    for (const socket of reads > 0 ? open : []) socket.read(reads);
    await pause(1000);
  }
  const closedByService = closed;
  for (const socket of open) socket.destroy();
  return `${closedByService} of ${sockets} connections closed by the service`;
}

/** Uploads that send a little, then nothing. */
export const pausingUploads: Attack = {
  name: '100 uploads that pause',
  isLong: true,
  async prepare(target) {
    const clinic = await target.newClinic();
    const { hostname, port } = new URL(target.apiUrl);
    return async (seconds) => {
      let closed = 0;
      const open: Socket[] = [];
      for (let i = 0; i < 100; i += 1) {
        const id = uuidv7();
        const call = {
          fromNumber: '+351912345678',
          toNumber: '+351210000000',
          startedAt: '2026-03-02T09:30:00Z',
        };
        await send(target.apiUrl, 'PUT', `/v1/calls/${id}`, { key: clinic.key, body: call });
        const socket = connect({ host: hostname, port: Number(port) });
        socket
          .on('error', () => undefined)
          .on('close', () => (closed += 1))
          .resume();
        await once(socket, 'connect');
        socket.write(
          `PUT /v1/calls/${id}/recording HTTP/1.1\r\nHost: api\r\nAuthorization: Bearer ${clinic.key}\r\n` +
            'Content-Type: audio/mpeg\r\nContent-Length: 50000000\r\n\r\n',
        );
        socket.write(Buffer.alloc(5_000_000));
        open.push(socket);
        await pause(80);
      }
      await pause(seconds * 1000);
      const closedByService = closed;
      for (const socket of open) socket.destroy();
      return `${closedByService} of 100 uploads ended by the service`;
    };
  },
};
