import { setTimeout as pause } from 'node:timers/promises';
import { monotonicMs } from '../monotonic.ts';
import type { Cause } from './caller.ts';
import type { Ledger } from './ledger.ts';

/**
 * Asks `count` times at an even pace, whether or not the answers keep up, so that a slow service cannot slow its load down.
 * @param ask is told when it was due, by the monotonic clock
 * @param signal ends it before
 */
export async function evenly(
  perSecond: number,
  count: number,
  ask: (dueAt: number) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const running: Promise<void>[] = [];
  const begun = monotonicMs();
  const goesOn = () => running.length < count && signal?.aborted !== true;
  for (let i = 0; goesOn(); i += 1) {
    const dueAt = begun + (i * 1000) / perSecond;
    const waitMs = dueAt - monotonicMs();
    if (waitMs > 0) await pause(waitMs);
    running.push(ask(dueAt));
  }
  await Promise.all(running);
}

export function openLoop(ledger: Ledger, cause: Cause, perSecond: number, count: number): Promise<void> {
  return evenly(perSecond, count, (dueAt) => ledger.ask(cause, dueAt));
}

/** Asks `count` times as fast as so many publishers, each waiting for its answer, can. */
export async function burst(ledger: Ledger, cause: Cause, publishers: number, count: number): Promise<void> {
  let left = count;
  await inParallel(publishers, async () => {
    while (left > 0) {
      left -= 1;
      await ledger.ask(cause, monotonicMs());
    }
  });
}

export async function inParallel(count: number, work: (index: number) => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, index) => work(index)));
}

/** Takes the causes in turn: the clinics of a crowd. */
export function inTurn(causes: readonly Cause[]): Cause {
  let turn = 0;
  return async () => {
    const cause = causes[turn % causes.length];
    turn += 1;
    return cause === undefined ? null : cause();
  };
}
