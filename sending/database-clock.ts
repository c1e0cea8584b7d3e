import { msSince, type Moment } from '../adapters/timing/moment.ts';

/** No answer travels that long: the clock has been set. */
const SET_MS = 250;

/**
 * Tells the database's time, now, by what it read at `readAtMs` of its own clock and when it was asked for that. What it tells is late by the way from the question to it, so the lowest of what it has told is
 * the truest; and nothing is dated before what began earlier in this process.
 */
export function createDatabaseClock() {
  let aheadMs = Number.NaN;
  let latestMs = 0;
  return (readAtMs: number, askedAt: Moment): Date => {
    const hereMs = performance.now();
    const toldMs = readAtMs + msSince(askedAt) - hereMs;
    const wasSet = !(Math.abs(toldMs - aheadMs) < SET_MS);
    if (wasSet || toldMs < aheadMs) aheadMs = toldMs;
    latestMs = wasSet ? aheadMs + hereMs : Math.max(aheadMs + hereMs, latestMs);
    return new Date(latestMs);
  };
}
