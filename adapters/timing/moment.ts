/** A point in time by both clocks: the monotonic one stops while a machine is suspended, the wall clock may be set. */
export interface Moment {
  monotonicMs: number;
  wallMs: number;
}

export function momentNow(): Moment {
  return { monotonicMs: performance.now(), wallMs: Date.now() };
}

/** The minimum time since a moment, in milliseconds. */
export function msSince({ monotonicMs, wallMs }: Moment): number {
  return Math.max(performance.now() - monotonicMs, Date.now() - wallMs);
}
