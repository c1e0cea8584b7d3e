import type { TakenMs } from './availability.ts';
import type { TimeRange } from './slot.ts';

/**
 * The free parts of the openings, earliest first; adjacent or overlapping openings are merged. @param busy earliest
 * first
 */
export function freeRanges(open: Iterable<TimeRange>, busy: readonly TakenMs[]): TimeRange[] {
  return joined(open).flatMap((opening) => withoutBusy(opening, busy));
}

function joined(open: Iterable<TimeRange>): TimeRange[] {
  const ranges: TimeRange[] = [];
  for (const { from, until } of open) {
    const last = ranges.at(-1);
    if (!last || from > last.until) ranges.push({ from, until });
    else if (until > last.until) last.until = until;
  }
  return ranges;
}

function withoutBusy({ from, until }: TimeRange, busy: readonly TakenMs[]): TimeRange[] {
  const free: TimeRange[] = [];
  let reachedMs = from.getTime();
  for (const [fromMs, untilMs] of busy) {
    if (fromMs >= until.getTime()) break;
    if (fromMs > reachedMs) free.push({ from: new Date(reachedMs), until: new Date(fromMs) });
    reachedMs = Math.max(reachedMs, untilMs);
  }
  if (reachedMs < until.getTime()) free.push({ from: new Date(reachedMs), until });
  return free;
}
