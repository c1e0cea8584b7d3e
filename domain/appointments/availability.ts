import { overlaps, slotFor, type Slot, type TimeRange } from './slot.ts';

const MINUTE_MS = 60_000;

export interface ServiceLength {
  durationMinutes: number;
  bufferMinutes: number;
}

/**
 * The free slots of one professional, earliest first: on a grid of duration + buffer from each opening, ending before
 * it closes, clear of every busy range, starting within `range` and after `now`. docs/availability.md#the-grid
 */
export function freeSlots(
  open: readonly TimeRange[],
  busy: readonly TimeRange[],
  service: ServiceLength,
  range: TimeRange,
  now: Date,
): Slot[] {
  const isWanted = ({ startsAt }: Slot) => range.from <= startsAt && startsAt < range.until && now < startsAt;
  return open.flatMap((opening) => {
    const slots = gridSlots(opening, service).filter(isWanted);
    const last = slots.at(-1);
    if (!last) return [];
    const taken = busy.filter((booked) => overlaps(booked, { from: opening.from, until: last.blockUntil }));
    return slots.filter((slot) => isFree(slot, taken));
  });
}

function gridSlots(opening: TimeRange, service: ServiceLength): Slot[] {
  const stepMs = (service.durationMinutes + service.bufferMinutes) * MINUTE_MS;
  const lastStart = opening.until.getTime() - service.durationMinutes * MINUTE_MS;
  const slots: Slot[] = [];
  for (let start = opening.from.getTime(); start <= lastStart; start += stepMs) {
    slots.push(slotFor(new Date(start), service));
  }
  return slots;
}

function isFree(slot: Slot, taken: readonly TimeRange[]): boolean {
  const wanted = { from: slot.startsAt, until: slot.blockUntil };
  return !taken.some((range) => overlaps(range, wanted));
}

/** The `count` slots that start nearest to `wanted`, earliest first. */
export function nearestSlots(slots: readonly Slot[], wanted: Date, count: number): Slot[] {
  const distance = (slot: Slot) => Math.abs(slot.startsAt.getTime() - wanted.getTime());
  return [...slots]
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, count)
    .sort((a, b) => a.startsAt.getTime() - b.startsAt.getTime());
}
