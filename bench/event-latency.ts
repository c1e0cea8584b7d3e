import { createServer, type Server } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { localIdentity, type RunningInstance } from '../test/support/service.ts';
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
  const url = `https://localhost:${(server.address() as AddressInfo).port}/hook`;
  const options = ['--tenant', clinic.tenantId, '--url', url, '--events', 'appointment.created'];
  await service.admin('endpoint', 'create', ...options);
  const sent = await bookSteadily(service, clinic, perSecond, WARM_UP + count);
  await until('every event', () => arrivals.size >= sent.size, 60_000);
  server.closeAllConnections();
  server.close();
  const latencies = [...sent].map(([id, at]) => (arrivals.get(id) ?? Number.NaN) - at);
  return { perSecond, count, bookingToFirstByteMs: summary(latencies.slice(WARM_UP)) };
}

async function startReceiver(service: RunningInstance, arrivals: Map<string, number>): Promise<Server> {
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

async function bookSteadily(
  service: RunningInstance,
  clinic: BenchClinic,
  perSecond: number,
  count: number,
): Promise<Map<string, number>> {
  const next = bookings(clinic);
  const sent = new Map<string, number>();
  const running: Promise<void>[] = [];
  const begun = performance.now();
  for (let i = 0; i < count; i += 1) {
    await pause(Math.max(0, begun + (i * 1000) / perSecond - performance.now()));
    const at = performance.now();
    const booked = service.request(clinic.key, 'POST', '/v1/appointments', next());
    running.push(booked.then(({ body }) => void sent.set(String(body['id']), at)));
  }
  await Promise.all(running);
  return sent;
}
