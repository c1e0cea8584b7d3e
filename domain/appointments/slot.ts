const MINUTE_MS = 60_000;

export interface Slot {
  startsAt: Date;
  endsAt: Date;
  /** When the professional is taken: from the start to the end plus the service's buffer (exclusive). */
  blockFrom: Date;
  blockUntil: Date;
}

/** One patient at a time over `[startsAt, endsAt + buffer)`: docs/appointments.md#slots-and-buffers */
export function slotFor(startsAt: Date, service: { durationMinutes: number; bufferMinutes: number }): Slot {
  const endsAt = new Date(startsAt.getTime() + service.durationMinutes * MINUTE_MS);
  const blockUntil = new Date(endsAt.getTime() + service.bufferMinutes * MINUTE_MS);
  return { startsAt, endsAt, blockFrom: startsAt, blockUntil };
}

export interface TimeRange {
  from: Date;
  /** Exclusive. */
  until: Date;
}

/** How far back a booking may start without the scope `appointments:source`: 24 hours. */
const BACKDATING_LIMIT_MS = 24 * 60 * MINUTE_MS;

export function isTooFarInThePast(startsAt: Date, now: Date): boolean {
  return startsAt.getTime() < now.getTime() - BACKDATING_LIMIT_MS;
}
