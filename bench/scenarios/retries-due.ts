import { setTimeout as pause } from 'node:timers/promises';
import { booking, type Caller } from '../load/caller.ts';
import { createCrowd, PUBLISHERS } from '../load/crowd.ts';
import { Ledger } from '../load/ledger.ts';
import { burst, evenly, openLoop } from '../load/pace.ts';
import { Retries } from '../load/retries.ts';
import { monotonicMs } from '../monotonic.ts';
import { startReceiver, type Receiver } from '../receiver/start-receiver.ts';
import { latencyColumns, percentile } from '../report/percentile.ts';
import type { Bench, Row, Scenario, Table } from '../scenario.ts';
import { cpuEach, meter, signalPart, type Use } from '../service/processes.ts';
import { startAnotherWorker } from '../service/another-worker.ts';
import { callerWithEndpoint } from './open-loop.ts';

const CLINICS = 10;
/** Within it some four thousand workflows are started here; the start of any others is part of what is measured. */
const FIRST_RETRY_SECONDS = 110;
const STOP_BEFORE_MS = 1000;
const PER_SECOND = 20;
const OTHERS = { perSecond: 1, seconds: 40 };
const LIMIT_MS = 3_600_000;
const [CROWD_PATH, OTHERS_PATH] = ['/flaky', '/flaky/others'];

export const retriesDue: Scenario = {
  name: 'retries-due',
  title: 'Ten thousand retries due at once',
  about:
    `Deliveries of ${CLINICS} clinics fail once, and the Temporal server stands still (SIGSTOP) until all of their second attempts are ` +
    'due. How long these then take, with one worker and with two; and what others have of it: a healthy endpoint of another ' +
    `clinic, told of ${PER_SECOND} bookings a second, and the second attempts of a third clinic, of which ` +
    `${OTHERS.perSecond} a second becomes due from that moment on. Processor time is that of all these together, without the second worker’s.`,
  isLong: true,
  environment: { WEBHOOK_RETRY_DELAYS_SECONDS: `${FIRST_RETRY_SECONDS},3600,3600,3600,3600` },
  async prepare(bench) {
    const failing = bench.resources.adopt(await startReceiver(bench.service, '127.0.0.1'), (each) =>
      each.stop(),
    );
    const round = (workers: string) => () => becomeDue(bench, failing, bench.size(10_000, 1_000), workers);
    return [
      { isOnce: true, round: round('one worker') },
      {
        isOnce: true,
        prepare: () => startAnotherWorker(bench.service, bench.resources),
        round: round('two workers'),
      },
    ];
  },
};

/** What became of the retries since the engine went on. */
interface Resumed {
  due: number;
  /** By the monotonic clock, as `lastAt`. */
  begun: number;
  lastAt: number;
  latenessMs: number[];
  use: Use;
}

async function becomeDue(bench: Bench, failing: Receiver, count: number, workers: string): Promise<Table> {
  const atFailing = { ...bench, receiver: failing };
  const healthy = await callerWithEndpoint(bench, '/hook');
  const others = await callerWithEndpoint(atFailing, OTHERS_PATH);
  const crowd = await createCrowd(atFailing, CLINICS, CROWD_PATH);
  // A cold process would flatter the others.
  await loadUntil(bench, healthy, pause(5_000));
  const alone = await loadUntil(bench, healthy, pause(1000 * bench.size(30, 10)));

  const retries = new Retries(failing, 1000 * FIRST_RETRY_SECONDS);
  await burst(new Ledger(failing), crowd.notes, PUBLISHERS, count);
  const ofOthers = new Ledger(failing);
  await openLoop(ofOthers, booking(others), OTHERS.perSecond, OTHERS.perSecond * OTHERS.seconds);
  const due = await stopUntilDue(bench, retries);

  const [read, begun] = [await meter(bench.service), monotonicMs()];
  const beside = await loadUntil(bench, healthy, retries.untilMade(CROWD_PATH, due, LIMIT_MS));
  const resumed = { due, begun, use: await read(), ...retries.made(CROWD_PATH) };
  await retries.untilMade(OTHERS_PATH, ofOthers.asked, LIMIT_MS);
  const ofAlone = percentile(beside.latenciesMs(), 0.99) / percentile(alone.latenciesMs(), 0.99);
  const firstAttempts = (ledger: Ledger) => ({ ...latencyColumns(ledger.latenciesMs()), ...ledger.losses() });
  return {
    [`the retries, ${workers}`]: rowOf(resumed),
    [`first attempts of others before, ${workers}`]: firstAttempts(alone),
    [`first attempts of others, ${workers}`]: { ...firstAttempts(beside), 'p99, of before': ofAlone },
    [`second attempts of others, ms late, ${workers}`]: latencyColumns(retries.made(OTHERS_PATH).latenessMs),
  };
}

function rowOf({ due, begun, use, latenessMs, lastAt }: Resumed): Row {
  const seconds = (lastAt - begun) / 1000;
  return {
    due,
    'all made s': seconds,
    'retries/s': latenessMs.length / seconds,
    ...cpuEach(use, due),
    lost: due - latenessMs.length,
  };
}

/** The engine stands still from before the first second attempt is due until all are. How many they are. */
async function stopUntilDue({ service }: Bench, retries: Retries): Promise<number> {
  await retries.look(CROWD_PATH);
  await untilTime(retries.dueAt(CROWD_PATH).first - STOP_BEFORE_MS);
  const count = await retries.look(CROWD_PATH);
  await signalPart(service, 'temporal', 'SIGSTOP');
  try {
    await untilTime(retries.dueAt(CROWD_PATH).last);
  } finally {
    await signalPart(service, 'temporal', 'SIGCONT');
  }
  return count;
}

/** @param at by the monotonic clock */
async function untilTime(at: number): Promise<void> {
  await pause(Math.max(at - monotonicMs(), 0));
}

async function loadUntil({ receiver }: Bench, caller: Caller, ended: Promise<unknown>): Promise<Ledger> {
  const [ledger, book, ending] = [new Ledger(receiver), booking(caller), new AbortController()];
  const load = evenly(PER_SECOND, Infinity, (dueAt) => ledger.ask(book, dueAt), ending.signal);
  await ended.finally(() => ending.abort());
  await load;
  await ledger.untilArrived(LIMIT_MS);
  return ledger;
}
