import { createServer, type Server } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { localIdentity, type ApiAnswer, type RunningInstance } from '../test/support/service.ts';
import { until } from '../test/support/until.ts';
import { bookings, type BenchClinic } from './bench-clinic.ts';
import { summary } from './percentile.ts';

const WARM_UP = 20;

/** From sending a booking to its event's first byte at the receiver, at a steady rate, in milliseconds. */
export async function measureEventLatency(
  service: RunningInstance,
  clinic: BenchClinic,
  { perSecond, count }: { perSecond: number; count: number },
) {
  const arrivals = new Map<string, number>();
  const server = await startReceiver(service, arrivals);
  await createEndpoint(service, clinic, server);
  const next = bookings(clinic);
  const book = () => service.request(clinic.key, 'POST', '/v1/appointments', next());
  const sent = await bookSteadily(book, perSecond, WARM_UP + count);
  await until('every event', () => arrivals.size >= sent.size, 60_000);
  server.closeAllConnections();
  server.close();
  const latencies = latenciesOf(sent, arrivals);
  return { perSecond, count, bookingToFirstByteMs: summary(latencies.slice(WARM_UP)) };
}

/** An endpoint of the clinic at a server on loopback, for what is booked; returns its id. */
export async function createEndpoint(
  service: RunningInstance,
  clinic: BenchClinic,
  server: Server,
): Promise<string> {
  const url = `https://localhost:${(server.address() as AddressInfo).port}/hook`;
  const options = ['--tenant', clinic.tenantId, '--url', url, '--events', 'appointment.created'];
  const { id } = await service.admin<{ id: string }>('endpoint', 'create', ...options);
  return id;
}

export function latenciesOf(sent: Map<string, number>, arrivals: Map<string, number>): number[] {
  return [...sent].map(([id, at]) => (arrivals.get(id) ?? Number.NaN) - at);
}

/** Answers at once, and notes when the event of each appointment arrived. */
export async function startReceiver(
  service: RunningInstance,
  arrivals: Map<string, number>,
): Promise<Server> {
  const server = createServer(await localIdentity(service.dataDirectory), (request, response) => {
    const at = performance.now();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.end();
      const { data } = JSON.parse(Buffer.concat(chunks).toString());
      arrivals.set(data.appointment.id, at);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Books `count` times at an even pace, without waiting for answers; returns when each appointment was asked for. */
export async function bookSteadily(
  book: () => Promise<ApiAnswer>,
  perSecond: number,
  count: number,
): Promise<Map<string, number>> {
  const sent = new Map<string, number>();
  const running: Promise<void>[] = [];
  const begun = performance.now();
  for (let i = 0; i < count; i += 1) {
    await pause(Math.max(0, begun + (i * 1000) / perSecond - performance.now()));
    const at = performance.now();
    running.push(book().then(({ body }) => void sent.set(String(body['id']), at)));
  }
  await Promise.all(running);
  return sent;
}
