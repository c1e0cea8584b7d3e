import { msSince, type Moment } from './moment.ts';

/** Two clocks run so much apart unnoticed, before one of them counts as set. */
const SET_MS = 250;

/**
 * Tells the database's time, now, by what it read at `readAtMs` of its own clock and when it was asked for that. What it tells is late by
 * the way from the question to it, however long that took, so the lowest of what it has told is the truest; and nothing is dated before
 * what began earlier in this process, unless the clock was set.
 */
export function createDatabaseClock() {
  let aheadMs = Number.NaN;
  let latestMs = 0;
  const told = (readAtMs: number, askedAt: Moment): Date => {
    const hereMs = performance.now();
    const waitedMs = msSince(askedAt);
    const toldMs = readAtMs + waitedMs - hereMs;
    const mayStillBe = toldMs - waitedMs < aheadMs + SET_MS && toldMs > aheadMs - SET_MS;
    if (!mayStillBe || toldMs < aheadMs) aheadMs = toldMs;
    latestMs = mayStillBe ? Math.max(aheadMs + hereMs, latestMs) : aheadMs + hereMs;
    return new Date(latestMs);
  };
  return {
    told,
    /** By what was told last. */
    now: () => new Date(aheadMs + performance.now()),
  };
}
