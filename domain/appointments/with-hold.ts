import type { FreeSlot } from './availability.ts';

/** A held time in epoch milliseconds; `untilMs` is exclusive. */
export interface HeldMs {
  fromMs: number;
  untilMs: number;
  expiresMs: number;
}

/** The slot, with the end of its hold if it has one. */
export function withHold(slot: FreeSlot, held: readonly HeldMs[]): FreeSlot {
  const [fromMs, untilMs] = [slot.blockFrom.getTime(), slot.blockUntil.getTime()];
  const ends = held
    .filter((hold) => hold.fromMs < untilMs && fromMs < hold.untilMs)
    .map(({ expiresMs }) => expiresMs);
  return ends.length === 0 ? slot : { ...slot, heldUntil: new Date(Math.max(...ends)) };
}
