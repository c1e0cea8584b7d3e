import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { localIdentity, type RunningInstance } from '../test/support/service.ts';
import { until } from '../test/support/until.ts';
import { bookings, createBenchClinic, type BenchClinic } from './bench-clinic.ts';
import { bookSteadily, createEndpoint, latenciesOf, startReceiver } from './event-latency.ts';
import { summary } from './percentile.ts';

const PER_SECOND = 20;
const ROUNDS = 3;
const SECONDS_A_ROUND = 10;
const WARM_UP = 2 * PER_SECOND;

/**
 * Two clinics book in turn, 20 times a second. By turns the second one has no endpoint that is on, and one that never
 * answers. What the first clinic's events take must not depend on it. Turns, because other work on the machine comes and goes.
 */
export async function measureIsolation(service: RunningInstance) {
  const [healthy, hanging] = [await createBenchClinic(service, 20), await createBenchClinic(service, 20)];
  const arrivals = new Map<string, number>();
  const [receiver, silent] = [await startReceiver(service, arrivals), await startSilentServer(service)];
  await createEndpoint(service, healthy, receiver);
  const endpointId = await createEndpoint(service, hanging, silent);
  const measure = createMeasurement(service, { healthy, hanging, arrivals });
  const [alone, besideHanging]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    await switchEndpoint(service, hanging, endpointId, false);
    alone.push(...(await measure()));
    await switchEndpoint(service, hanging, endpointId, true);
    besideHanging.push(...(await measure()));
  }
  for (const server of [receiver, silent]) {
    server.closeAllConnections();
    server.close();
  }
  return compared(alone, besideHanging);
}

async function switchEndpoint(
  service: RunningInstance,
  { key }: BenchClinic,
  endpointId: string,
  enabled: boolean,
): Promise<void> {
  const { status } = await service.request(key, 'PATCH', `/v1/webhook-endpoints/${endpointId}`, { enabled });
  if (status !== 200) throw new Error(`switching an endpoint answered ${status}`);
}

function compared(alone: readonly number[], besideHanging: readonly number[]) {
  const [without, beside] = [summary(alone), summary(besideHanging)];
  return {
    perSecond: PER_SECOND,
    seconds: ROUNDS * SECONDS_A_ROUND,
    bookingToFirstByteMs: { without, beside },
    p99Ratio: Math.round((100 * beside.p99) / without.p99) / 100,
  };
}

interface Parties {
  healthy: BenchClinic;
  hanging: BenchClinic;
  arrivals: Map<string, number>;
}

/** From sending a booking of the healthy clinic to its event's first byte, in milliseconds. */
function createMeasurement(service: RunningInstance, { healthy, hanging, arrivals }: Parties) {
  const next = { healthy: bookings(healthy), hanging: bookings(hanging) };
  return async () => {
    const ofHealthy = new Set<string>();
    let turn = 0;
    const book = async () => {
      turn += 1;
      const isHealthy = turn % 2 === 0;
      const [clinic, body] = isHealthy ? [healthy, next.healthy()] : [hanging, next.hanging()];
      const answer = await service.request(clinic.key, 'POST', '/v1/appointments', body);
      if (isHealthy) ofHealthy.add(String(answer.body['id']));
      return answer;
    };
    const sent = await bookSteadily(book, PER_SECOND, WARM_UP + PER_SECOND * SECONDS_A_ROUND);
    const mine = new Map([...sent].filter(([id]) => ofHealthy.has(id)));
    await until('every event', () => [...mine.keys()].every((id) => arrivals.has(id)), 60_000);
    return latenciesOf(mine, arrivals).slice(WARM_UP / 2);
  };
}

/** Takes requests and never answers. */
async function startSilentServer(service: RunningInstance): Promise<Server> {
  const server = createServer(await localIdentity(service.dataDirectory), () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
