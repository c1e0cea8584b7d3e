import { setTimeout as pause } from 'node:timers/promises';
import { booking } from '../load/caller.ts';
import { Ledger } from '../load/ledger.ts';
import { openLoop } from '../load/pace.ts';
import { Retries } from '../load/retries.ts';
import { monotonicMs } from '../monotonic.ts';
import { startReceiver, type Receiver } from '../receiver/start-receiver.ts';
import { latencyColumns, percentile } from '../report/percentile.ts';
import type { Bench, Scenario, Table } from '../scenario.ts';
import { signalPart } from '../service/processes.ts';
import { callerWithEndpoint } from './open-loop.ts';

const PER_SECOND = 50;
const FAILING_PER_SECOND = 2;
const FIRST_RETRY_MS = 30_000;
const FLAKY_PATH = '/flaky';
const LIMIT_MS = 300_000;

export const temporalAway: Scenario = {
  name: 'temporal-away',
  title: 'Temporal stopped in mid-load',
  about:
    `${PER_SECOND} bookings a second; the Temporal server stands still for a minute (SIGSTOP). Latencies of what was due before, ` +
    'meanwhile and after. Retries: a second clinic’s receiver answers each first attempt with 500; how late its second ones come.',
  async prepare(bench) {
    const caller = await callerWithEndpoint(bench, '/hook');
    const flaky = bench.resources.adopt(await startReceiver(bench.service, '127.0.0.1'), (each) =>
      each.stop(),
    );
    const failing = await callerWithEndpoint({ ...bench, receiver: flaky }, FLAKY_PATH);
    return [{ round: () => withoutTemporal(bench, flaky, booking(caller), booking(failing)) }];
  },
};

async function withoutTemporal(
  bench: Bench,
  flaky: Receiver,
  book: () => Promise<string | null>,
  bookFailing: () => Promise<string | null>,
): Promise<Table> {
  const [edgeSeconds, awaySeconds] = [bench.size(20, 6), bench.size(60, 15)];
  const seconds = 2 * edgeSeconds + awaySeconds;
  const [ledger, failing] = [new Ledger(bench.receiver), new Ledger(flaky)];
  const begun = monotonicMs();
  const loads = Promise.all([
    openLoop(ledger, book, PER_SECOND, PER_SECOND * seconds),
    openLoop(failing, bookFailing, FAILING_PER_SECOND, FAILING_PER_SECOND * seconds),
  ]);
  await pause(edgeSeconds * 1000);
  await signalPart(bench.service, 'temporal', 'SIGSTOP');
  await pause(awaySeconds * 1000);
  await signalPart(bench.service, 'temporal', 'SIGCONT');
  await loads;
  await ledger.untilArrived(LIMIT_MS);
  const retries = new Retries(flaky, FIRST_RETRY_MS);
  await retries.untilMade(FLAKY_PATH, failing.asked, LIMIT_MS);
  const { latenessMs } = retries.made(FLAKY_PATH);
  const [away, back] = [begun + edgeSeconds * 1000, begun + (edgeSeconds + awaySeconds) * 1000];
  return {
    before: latencyColumns(ledger.latenciesMs(begun, away)),
    away: latencyColumns(ledger.latenciesMs(away, back)),
    after: latencyColumns(ledger.latenciesMs(back)),
    'in all': {
      ...ledger.losses(),
      'away p99, of before': p99(ledger, away, back) / p99(ledger, begun, away),
    },
    'retries, ms late': { ...latencyColumns(latenessMs), lost: failing.asked - latenessMs.length },
  };
}

function p99(ledger: Ledger, from: number, to: number): number {
  return percentile(ledger.latenciesMs(from, to), 0.99);
}
