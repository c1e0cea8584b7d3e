/** A point in time by both clocks: the monotonic one stands still on a machine that is suspended, the other one may be set. */
export interface Moment {
  monotonicMs: number;
  wallMs: number;
}

export function momentNow(): Moment {
  return { monotonicMs: performance.now(), wallMs: Date.now() };
}

/** At least as long ago as this many milliseconds. */
export function msSince({ monotonicMs, wallMs }: Moment): number {
  return Math.max(performance.now() - monotonicMs, Date.now() - wallMs);
}
