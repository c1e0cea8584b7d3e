import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { monotonicMs } from '../monotonic.ts';
import type { Arrival } from './start-receiver.ts';

interface Received {
  at: number;
  path: string;
  eventId: string;
  body: Buffer;
}

/**
 * A clinic's HTTPS receiver. The path says how it answers: `/hook` at once, `/hang` never, `/then-hang/100` at once that many times
 * and then never, `/flaky` with an error first, then well. When asked, it lists what has arrived since the last time.
 */
const received: Received[] = [];
/** By path. */
const requests = new Map<string, number>();
const server = createServer(
  { cert: process.env['CERTIFICATE'], key: process.env['KEY'], keepAliveTimeout: 75_000 },
  (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      note(request, Buffer.concat(chunks));
      answer(request, response);
    });
  },
);

function note(request: IncomingMessage, body: Buffer): void {
  const eventId = String(request.headers['x-service-event-id']);
  received.push({ at: monotonicMs(), path: request.url ?? '', eventId, body });
}

function answer({ url = '', headers }: IncomingMessage, response: ServerResponse): void {
  const [, behaviour, number] = url.split('/');
  const before = requests.get(url) ?? 0;
  requests.set(url, before + 1);
  if (behaviour === 'hang' || (behaviour === 'then-hang' && before >= Number(number))) return;
  if (behaviour === 'flaky' && headers['x-service-attempt'] === '1') response.statusCode = 500;
  response.end();
}

function arrivalOf({ at, path, eventId, body }: Received): Arrival {
  const { data } = JSON.parse(body.toString()) as {
    data?: { appointment?: { id: string; version: number } };
  };
  const appointment = data?.appointment;
  const change = appointment ? `${appointment.id}:${appointment.version}` : null;
  return { at, path, eventId, change };
}

process.on('message', (id: number) => {
  process.send?.({ id, arrivals: received.splice(0).map(arrivalOf) });
});
process.once('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
