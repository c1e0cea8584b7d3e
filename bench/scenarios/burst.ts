import type { Cause } from '../load/caller.ts';
import { createCrowd, PUBLISHERS, type Crowd } from '../load/crowd.ts';
import { Ledger } from '../load/ledger.ts';
import { burst } from '../load/pace.ts';
import { monotonicMs } from '../monotonic.ts';
import { percentile } from '../report/percentile.ts';
import type { Bench, Row, Scenario, Stage } from '../scenario.ts';
import { cpuEach, meter, signalPart, type Meter } from '../service/processes.ts';
import { settle, settleButTimers } from '../service/settle.ts';

const ARRIVAL_LIMIT_MS = 600_000;
const SETTLED_WITHIN_MS = 60_000;

export const burstScenario: Scenario = {
  name: 'burst',
  title: 'Drain and burst',
  about:
    'Drain: changes of notes committed while the worker stands still (SIGSTOP), from its going on to the last event at the receiver. ' +
    `Bookings and notes: as fast as ${PUBLISHERS} publishers can through the API, from the first request to the last event. ` +
    'CPU until the last event, and for everything until the outbox is empty and the machine quiet, a minute at most. ' +
    'The service is warm: it has booked and changed half as much before, unmeasured.',
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
    { round: async () => ({ [`bookings, ${name}`]: await publish(bench, crowd.bookings, count) }) },
    { round: async () => ({ [`notes, ${name}`]: await publish(bench, crowd.notes, count) }) },
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

async function drain(bench: Bench, crowd: Crowd, count: number): Promise<Row> {
  const ledger = new Ledger(bench.receiver);
  await signalPart(bench.service, 'worker', 'SIGSTOP');
  try {
    await burst(ledger, crowd.notes, PUBLISHERS, count);
  } finally {
    await signalPart(bench.service, 'worker', 'SIGCONT');
  }
  return untilSettled(bench, ledger, await meter(bench.service));
}

async function publish(bench: Bench, cause: Cause, count: number): Promise<Row> {
  const ledger = new Ledger(bench.receiver);
  const [begun, read] = [monotonicMs(), await meter(bench.service)];
  await burst(ledger, cause, PUBLISHERS, count);
  const accepted = { 'accepted/s': (1000 * ledger.asked) / (monotonicMs() - begun) };
  const figures = await untilSettled(bench, ledger, read);
  const latencies = ledger.latenciesMs();
  return {
    ...accepted,
    ...figures,
    'p50 ms': percentile(latencies, 0.5),
    'p99 ms': percentile(latencies, 0.99),
  };
}

/** @param read the meter that has run since the first event could be delivered */
async function untilSettled(bench: Bench, ledger: Ledger, read: Meter): Promise<Row> {
  await ledger.untilArrived(ARRIVAL_LIMIT_MS);
  const use = await read();
  const perSecond = ledger.asked / ((ledger.lastArrivalAt() - use.begun) / 1000);
  await settle(bench.service, SETTLED_WITHIN_MS);
  const { 'CPU ms': settled } = cpuEach(await read(), ledger.asked);
  return {
    'events/s': perSecond,
    'of bare POSTs': perSecond / bench.barePosts,
    ...cpuEach(use, ledger.asked),
    'CPU ms with the rest': settled,
    ...ledger.losses(),
  };
}
