/**
 * A no-show timer that is due later than this after it was asked for is left to its row; `reconcile` has it started when it is due
 * within this of its run. A day lies between the two, so that a booking that is being written is never missed by both.
 * docs/decisions/0027-far-timers-wait-in-rows.md
 */
export const TIMER_AHEAD_DAYS = { booked: 7, reconciled: 6 } as const;
