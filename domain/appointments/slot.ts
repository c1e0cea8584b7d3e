const MINUTE_MS = 60_000;

export interface Slot {
  startsAt: Date;
  endsAt: Date;
  /** When the professional is occupied: from the start to the end plus the service's buffer (exclusive). */
  blockFrom: Date;
  blockUntil: Date;
}

/**
 * The slot of an appointment. It occupies the professional in `[startsAt, endsAt + buffer)`:
 * docs/appointments.md#slots-and-buffers
 */
export function slotFor(startsAt: Date, service: { durationMinutes: number; bufferMinutes: number }): Slot {
  const endsAt = new Date(startsAt.getTime() + Math.round(service.durationMinutes * MINUTE_MS));
  const blockUntil = new Date(endsAt.getTime() + service.bufferMinutes * MINUTE_MS);
  return { startsAt, endsAt, blockFrom: startsAt, blockUntil };
}

/** The service with the length that results from a given end. The buffer is kept. docs/appointments.md#length */
export function withOwnEnd<Service extends { durationMinutes: number }>(
  service: Service,
  { startsAt, endsAt }: { startsAt: Date; endsAt: Date },
): Service {
  return { ...service, durationMinutes: (endsAt.getTime() - startsAt.getTime()) / MINUTE_MS };
}

/** How long after its end an appointment occupies its professional. */
export function bufferMinutesOf({ endsAt, blockUntil }: Pick<Slot, 'endsAt' | 'blockUntil'>): number {
  return (blockUntil.getTime() - endsAt.getTime()) / MINUTE_MS;
}

const MAX_MS = 24 * 60 * MINUTE_MS;

/** An appointment lasts longer than zero and at most 24 hours. */
export function isLengthPossible({ startsAt, endsAt }: { startsAt: Date; endsAt: Date }): boolean {
  const lengthMs = endsAt.getTime() - startsAt.getTime();
  return lengthMs > 0 && lengthMs <= MAX_MS;
}

/** The earliest start of an appointment that can last until after `from`. */
export function earliestStart(from: Date): Date {
  return new Date(from.getTime() - MAX_MS);
}

export interface TimeRange {
  from: Date;
  /** Exclusive. */
  until: Date;
}

/** The intersection of two ranges. If there is none, the result ends before it starts. */
export function overlapOf(one: TimeRange, other: TimeRange): TimeRange {
  return {
    from: one.from > other.from ? one.from : other.from,
    until: one.until < other.until ? one.until : other.until,
  };
}

/** How far back a booking may start without the scope `appointments:source`: 24 hours. */
const BACKDATING_LIMIT_MS = 24 * 60 * MINUTE_MS;

export function isTooFarInThePast(startsAt: Date, now: Date): boolean {
  return startsAt.getTime() < now.getTime() - BACKDATING_LIMIT_MS;
}
