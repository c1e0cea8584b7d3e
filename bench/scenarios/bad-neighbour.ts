import { createCaller, createEndpoint, type Caller } from '../load/caller.ts';
import { closedLoop } from '../load/closed-loop.ts';
import { evenly } from '../load/pace.ts';
import { monotonicMs } from '../monotonic.ts';
import { latencyColumns, percentile } from '../report/percentile.ts';
import type { Bench, Row, Scenario, Table } from '../scenario.ts';
import { createClinics } from '../service/clinics.ts';
import { fillWithAppointments } from '../service/fill-clinic.ts';
import { callerOfNewClinic } from './open-loop.ts';

/** Below the limit of 30 a second and, for ten seconds, of 300 a minute. */
const TIMELINES_PER_SECOND = 28;
const SECONDS = 10;
const FLOOD_CONNECTIONS = 400;
const WORKING_CLINICS = 10;
const EACH_PER_SECOND = 2;

export const badNeighbour: Scenario = {
  name: 'bad-neighbour',
  title: 'A bad neighbour',
  about:
    `Ten clinics book and read, ${WORKING_CLINICS * EACH_PER_SECOND} requests a second in all, alone; beside one key that asks for ` +
    `${TIMELINES_PER_SECOND} timelines a second, within its limits, in a clinic with 300,000 events; and beside one key over its ` +
    `limits on ${FLOOD_CONNECTIONS} connections. Their time from when a request was due to its answer. Rate limits are on.`,
  environment: { RATE_LIMITS_DISABLED: 'false' },
  async prepare(bench) {
    const { apiUrl } = await bench.service.running();
    const clinics = await createClinics(bench.service, WORKING_CLINICS, 2);
    const working = clinics.map((clinic) =>
      bench.resources.adopt(createCaller(apiUrl, clinic, 8), (caller) => caller.close()),
    );
    const large = await callerOfNewClinic(bench, 20);
    await createEndpoint(large, bench.receiver.url());
    const id = await fillWithAppointments(bench.service, large, bench.size(300_000, 30_000));
    return [{ round: () => besideNeighbours(bench, working, large, `/v1/appointments/${id}/timeline`) }];
  },
};

async function besideNeighbours(
  bench: Bench,
  working: Caller[],
  large: Caller,
  path: string,
): Promise<Table> {
  const { apiUrl } = await bench.service.running();
  // A key of its own for each part: none has used up anything of its limits.
  const neighbour = async (connections: number) => {
    const { key } = await bench.service.admin<{ key: string }>(
      'key',
      'create',
      '--tenant',
      large.clinic.tenantId,
    );
    return createCaller(apiUrl, { ...large.clinic, key }, connections);
  };
  const [reader, flooder] = [
    await neighbour(TIMELINES_PER_SECOND * SECONDS),
    await neighbour(FLOOD_CONNECTIONS),
  ];
  try {
    const timelines: Latencies = { ms: [], failed: 0 };
    // A cold process would flatter the neighbours.
    await work(working);
    const alone = await work(working);
    const [beside] = await Promise.all([
      work(working),
      steadily(timelines, TIMELINES_PER_SECOND, () => reader.send('GET', path)),
    ]);
    const [flooded] = await Promise.all([
      work(working),
      closedLoop(FLOOD_CONNECTIONS, SECONDS * 1000, () => flooder.send('GET', '/v1/professionals')),
    ]);
    return {
      alone: rowOf(alone, alone),
      'beside timelines': rowOf(beside, alone),
      'the timelines': rowOf(timelines, alone),
      'beside a flood': rowOf(flooded, alone),
    };
  } finally {
    await Promise.all([reader.close(), flooder.close()]);
  }
}

interface Latencies {
  ms: number[];
  failed: number;
}

async function work(working: Caller[]): Promise<Latencies> {
  const latencies: Latencies = { ms: [], failed: 0 };
  let turn = 0;
  await steadily(latencies, WORKING_CLINICS * EACH_PER_SECOND, async () => {
    const [caller, isBooking] = [working[turn % working.length], Math.floor(turn / working.length) % 2 === 0];
    turn += 1;
    if (caller === undefined) throw new Error('nobody works');
    return isBooking
      ? caller.send('POST', '/v1/appointments', caller.nextBooking())
      : caller.send('GET', '/v1/appointments?limit=50');
  });
  return latencies;
}

/** For ten seconds, whether or not the answers keep up. */
async function steadily(
  latencies: Latencies,
  perSecond: number,
  ask: () => Promise<{ status: number }>,
): Promise<void> {
  await evenly(perSecond, perSecond * SECONDS, async (dueAt) => {
    const { status } = await ask();
    latencies.ms.push(monotonicMs() - dueAt);
    if (status < 200 || status > 299) latencies.failed += 1;
  });
}

function rowOf({ ms, failed }: Latencies, alone: Latencies): Row {
  const ofAlone = percentile(ms, 0.99) / percentile(alone.ms, 0.99);
  return { ...latencyColumns(ms), 'p99, of alone': ofAlone, requests: ms.length, 'failed requests': failed };
}
