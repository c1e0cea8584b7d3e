import type { Cause } from '../load/caller.ts';
import { createCrowd, PUBLISHERS, type Crowd } from '../load/crowd.ts';
import { Ledger } from '../load/ledger.ts';
import { burst } from '../load/pace.ts';
import { monotonicMs } from '../monotonic.ts';
import { percentile } from '../report/percentile.ts';
import type { Bench, Row, Scenario, Stage } from '../scenario.ts';
import { cpuEach, meter, signalPart, type Meter } from '../service/processes.ts';
import { countUnrecorded } from '../service/recorded-workflows.ts';
import { settle, settleButTimers } from '../service/settle.ts';

const ARRIVAL_LIMIT_MS = 600_000;
const RECORDED_WITHIN_MS = 60_000;

export const burstScenario: Scenario = {
  name: 'burst',
  title: 'Drain and burst',
  about:
    'Drain: changes of notes committed while the worker stands still (SIGSTOP), from its going on to the last event at the receiver. ' +
    `Bookings and notes: as fast as ${PUBLISHERS} publishers can through the API, from the first request to the last event. ` +
    'CPU until the last event, and for everything until the outbox is empty and the machine quiet. Unrecorded: deliveries ' +
    'whose workflow does not exist in Temporal a minute after the last event. The service is warm: it has booked and changed ' +
    'half as much before, unmeasured.',
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
    {
      prepare: () => warmUp(bench, crowd, count / 2),
      round: async () => ({ [`drain, ${name}`]: await drain(bench, crowd, count) }),
    },
    { round: async () => ({ [`bookings, ${name}`]: await publish(bench, crowd, crowd.bookings, count) }) },
    { round: async () => ({ [`notes, ${name}`]: await publish(bench, crowd, crowd.notes, count) }) },
  ];
}

/** Code is compiled and connections are opened by the first requests. */
async function warmUp(bench: Bench, crowd: Crowd, count: number): Promise<void> {
  for (const cause of [crowd.bookings, crowd.notes]) {
    const ledger = new Ledger(bench.receiver);
    await burst(ledger, cause, PUBLISHERS, count);
    await ledger.untilArrived(ARRIVAL_LIMIT_MS);
    await settleButTimers(bench.service);
  }
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
  return untilRecorded(bench, crowd, ledger, since, await meter(bench.service));
}

async function publish(bench: Bench, crowd: Crowd, cause: Cause, count: number): Promise<Row> {
  const ledger = new Ledger(bench.receiver);
  const [since, begun, read] = [new Date(), monotonicMs(), await meter(bench.service)];
  await burst(ledger, cause, PUBLISHERS, count);
  const accepted = { 'accepted/s': (1000 * ledger.asked) / (monotonicMs() - begun) };
  const figures = await untilRecorded(bench, crowd, ledger, since, read);
  const latencies = ledger.latenciesMs();
  return {
    ...accepted,
    ...figures,
    'p50 ms': percentile(latencies, 0.5),
    'p99 ms': percentile(latencies, 0.99),
  };
}

/** @param read the meter that has run since the first event could be delivered */
async function untilRecorded(
  bench: Bench,
  { callers }: Crowd,
  ledger: Ledger,
  since: Date,
  read: Meter,
): Promise<Row> {
  await ledger.untilArrived(ARRIVAL_LIMIT_MS);
  const use = await read();
  const perSecond = ledger.asked / ((ledger.lastArrivalAt() - use.begun) / 1000);
  await settle(bench.service, RECORDED_WITHIN_MS);
  const { 'CPU ms': settled } = cpuEach(await read(), ledger.asked);
  const clinics = callers.map(({ clinic }) => clinic);
  const leftMs = ledger.lastArrivalAt() + RECORDED_WITHIN_MS - monotonicMs();
  const unrecorded = await countUnrecorded(bench.service, clinics, ledger.eventIds(), since, leftMs);
  return {
    'events/s': perSecond,
    'of bare POSTs': perSecond / bench.ceilings.posts,
    'of bare workflows': perSecond / bench.ceilings.workflows,
    ...cpuEach(use, ledger.asked),
    'CPU ms with the rest': settled,
    unrecorded,
    ...ledger.losses(),
  };
}
