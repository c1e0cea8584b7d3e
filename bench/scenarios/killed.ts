import { setTimeout as pause } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import { changeOf, type Caller, type Cause } from '../load/caller.ts';
import { PUBLISHERS } from '../load/crowd.ts';
import { Ledger } from '../load/ledger.ts';
import { inParallel } from '../load/pace.ts';
import { monotonicMs } from '../monotonic.ts';
import type { Bench, Row, Scenario } from '../scenario.ts';
import { signalPart } from '../service/processes.ts';
import type { Service } from '../service/start-service.ts';
import { until } from '../until.ts';
import { callerWithEndpoint } from './open-loop.ts';

const LIMIT_MS = 300_000;
const RETRY_MS = 50;

export const killed: Scenario = {
  name: 'killed',
  title: 'Killed in mid-burst',
  about:
    `Worker and API are killed (kill -9) while ${PUBLISHERS} publishers book; the launcher starts them again. Publishers repeat ` +
    'what was under way with its Idempotency-Key and send nothing new. Drained: from both being ready to the last event.',
  async prepare(bench) {
    const caller = await callerWithEndpoint(bench, '/hook');
    return [{ round: async () => ({ 'kill -9': await killInBurst(bench, caller) }) }];
  },
};

async function killInBurst(bench: Bench, caller: Caller): Promise<Row> {
  const ledger = new Ledger(bench.receiver);
  const count = bench.size(3_000, 300);
  const cause = repeatedBooking(caller);
  const ending = new AbortController();
  const publishing = inParallel(PUBLISHERS, async () => {
    while (!ending.signal.aborted) await ledger.ask(cause, monotonicMs());
  });
  await until('the burst', () => ledger.asked >= count, LIMIT_MS);
  ending.abort();
  const killedAt = monotonicMs();
  const ready = untilRestarted(bench.service);
  await Promise.all([
    signalPart(bench.service, 'worker', 'SIGKILL'),
    signalPart(bench.service, 'api', 'SIGKILL'),
  ]);
  const readyAt = await ready;
  await publishing;
  await ledger.untilArrived(LIMIT_MS);
  return {
    bookings: ledger.asked,
    'restart s': (readyAt - killedAt) / 1000,
    'drained s': Math.max(0, ledger.lastArrivalAt() - readyAt) / 1000,
    ...ledger.losses(),
  };
}

/** As a careful client does it: the same key until there is an answer. */
function repeatedBooking(caller: Caller): Cause {
  return async () => {
    const [body, key, deadline] = [caller.nextBooking(), uuidv7(), performance.now() + LIMIT_MS];
    for (;;) {
      const answer = await caller.send('POST', '/v1/appointments', body, key);
      const isFinal = answer.status > 0 && answer.status < 500 && answer.status !== 409;
      if (isFinal || performance.now() > deadline) return changeOf(answer);
      await pause(RETRY_MS);
    }
  };
}

/** Must be called before the signal; resolves with the time at which both serve again. */
async function untilRestarted(service: Service): Promise<number> {
  const { pids } = await service.running();
  await until(
    'the restart',
    async () => {
      const now = (await service.running()).pids;
      const isNew = (part: 'api' | 'worker') => now[part] !== null && now[part] !== pids[part];
      return isNew('api') && isNew('worker');
    },
    LIMIT_MS,
  );
  return monotonicMs();
}
