import type { Cause } from '../load/caller.ts';
import { createCrowd, PUBLISHERS, type Crowd } from '../load/crowd.ts';
import { Ledger } from '../load/ledger.ts';
import { burst } from '../load/pace.ts';
import { monotonicMs } from '../monotonic.ts';
import { percentile } from '../report/percentile.ts';
import type { Bench, Row, Scenario, Stage } from '../scenario.ts';
import { cpuEach, meter, signalPart } from '../service/processes.ts';
import { countRecorded } from '../service/recorded-workflows.ts';
import { settle } from '../service/settle.ts';

const ARRIVAL_LIMIT_MS = 600_000;

export const burstScenario: Scenario = {
  name: 'burst',
  title: 'Drain and burst',
  about:
    'Drain: changes of notes committed while the worker is stopped, from its going on to the last event at the receiver. ' +
    `Bookings and notes: as fast as ${PUBLISHERS} publishers can through the API, from the first request to the last event. ` +
    'CPU until the last event, and for everything until the outbox is empty and the machine quiet. Unrecorded: deliveries ' +
    'whose workflow does not exist in Temporal a minute after the last event.',
  async prepare(bench) {
    const crowds: [string, Crowd][] = [
      ['1 clinic', await createCrowd(bench, 1)],
      [`${bench.size(100, 10)} clinics`, await createCrowd(bench, bench.size(100, 10))],
    ];
    return crowds.flatMap(([name, crowd]) => stagesOf(bench, name, crowd));
  },
};

function stagesOf(bench: Bench, name: string, crowd: Crowd): Stage[] {
  const count = bench.size(10_000, 500);
  return [
    { round: async () => ({ [`drain, ${name}`]: await drain(bench, crowd, count) }) },
    { round: async () => ({ [`bookings, ${name}`]: await publish(bench, crowd, crowd.bookings, count) }) },
    { round: async () => ({ [`notes, ${name}`]: await publish(bench, crowd, crowd.notes, count) }) },
  ];
}

export async function drain(bench: Bench, crowd: Crowd, count: number): Promise<Row> {
  const ledger = new Ledger(bench.receiver);
  const since = new Date();
  await signalPart(bench.service, 'worker', 'SIGSTOP');
  try {
    await burst(ledger, crowd.notes, PUBLISHERS, count);
  } finally {
    await signalPart(bench.service, 'worker', 'SIGCONT');
  }
  return untilRecorded(bench, crowd, ledger, since, monotonicMs());
}

async function publish(bench: Bench, crowd: Crowd, cause: Cause, count: number): Promise<Row> {
  const ledger = new Ledger(bench.receiver);
  const [since, begun] = [new Date(), monotonicMs()];
  const arriving = untilRecorded(bench, crowd, ledger, since, begun, burst(ledger, cause, PUBLISHERS, count));
  return arriving;
}

async function untilRecorded(
  bench: Bench,
  { callers }: Crowd,
  ledger: Ledger,
  since: Date,
  begun: number,
  publishing = Promise.resolve(),
): Promise<Row> {
  const read = await meter(bench.service);
  await publishing;
  const publishedMs = monotonicMs() - begun;
  await ledger.untilArrived(ARRIVAL_LIMIT_MS);
  const use = await read();
  const seconds = (ledger.lastArrivalAt() - begun) / 1000;
  const clinics = callers.map(({ clinic }) => clinic);
  const records = await countRecorded(bench.service, clinics, ledger.eventIds(), since);
  await settle(bench.service);
  const { 'CPU ms': settled } = cpuEach(await read(), ledger.asked);
  const latencies = ledger.latenciesMs();
  return {
    'events/s': ledger.asked / seconds,
    'of bare POSTs': ledger.asked / seconds / bench.ceilings.posts,
    'accepted/s': publishedMs > 1 ? (1000 * ledger.asked) / publishedMs : Number.NaN,
    'p50 ms': percentile(latencies, 0.5),
    'p99 ms': percentile(latencies, 0.99),
    ...cpuEach(use, ledger.asked),
    'CPU ms with the rest': settled,
    unrecorded: records.unrecorded,
    ...ledger.losses(),
  };
}
