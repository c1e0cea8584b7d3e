import { msSince, type Moment } from './moment.ts';

/** Smaller differences between the clocks are tolerated; a larger one means that a clock was set. */
const SET_MS = 250;

/**
 * Estimates the database's current time from readings: the time read, and when it was requested. A reading is too low
 * by the network delay, so the highest offset is the best. Times never go backwards within this process, unless the
 * clock was set.
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
    /** The database's time according to the last readings. */
    now: () => new Date(aheadMs + performance.now()),
  };
}
