import { slotFor, type Slot, type TimeRange } from './slot.ts';

const MINUTE_MS = 60_000;

export interface ServiceLength {
  durationMinutes: number;
  bufferMinutes: number;
}

export interface FreeSlot extends Slot {
  professionalId: string;
  /** Null if only a length was requested. */
  serviceTypeId: string | null;
  /** When the last conflicting hold ends, if held slots are included. */
  heldUntil?: Date;
}

/** A busy time in epoch milliseconds; `untilMs` is exclusive. */
export type TakenMs = readonly [fromMs: number, untilMs: number];

/** A professional's offer, hours and busy times. */
export interface Calendar {
  professionalId: string;
  service: ServiceLength & { serviceTypeId: string | null };
  /** Earliest first. */
  open: Iterable<TimeRange>;
  /** Earliest first. */
  busy: readonly TakenMs[];
}

/**
 * Free slots by start, then professional, then calendar: on a grid of duration + buffer from each opening, ending
 * before it closes, without overlapping a busy range, starting within `range` and after `now`. Computed lazily, so
 * reading only the first slots of a month costs little. Openings are instants; daylight saving is handled in
 * `../clinic/hours/openings-as-instants.ts`. docs/availability.md#the-grid
 */
export function* freeSlots(calendars: readonly Calendar[], range: TimeRange, now: Date): Generator<FreeSlot> {
  const ofEach = calendars.map((calendar) => slotsOf(calendar, range, now));
  const heads = ofEach.map((slots) => slots.next().value ?? null);
  for (let first = earliest(heads); first; first = earliest(heads)) {
    yield first.slot;
    heads[first.at] = ofEach[first.at]?.next().value ?? null;
  }
}

function earliest(heads: readonly (FreeSlot | null)[]): { slot: FreeSlot; at: number } | null {
  let found: { slot: FreeSlot; at: number } | null = null;
  for (const [at, slot] of heads.entries()) {
    if (slot && (!found || comesBefore(slot, found.slot))) found = { slot, at };
  }
  return found;
}

function comesBefore(one: FreeSlot, other: FreeSlot): boolean {
  const later = one.startsAt.getTime() - other.startsAt.getTime();
  return later < 0 || (later === 0 && one.professionalId < other.professionalId);
}

function* slotsOf(
  { professionalId, service, open, busy }: Calendar,
  range: TimeRange,
  now: Date,
): Generator<FreeSlot, undefined> {
  const { serviceTypeId } = service;
  const isFree = askInOrder(busy);
  const firstMs = Math.max(range.from.getTime(), now.getTime() + 1);
  const lengthMs = takenMs(service);
  for (const startMs of gridOf(open, service)) {
    if (startMs >= range.until.getTime()) return;
    if (startMs < firstMs || !isFree(startMs, startMs + lengthMs)) continue;
    yield { professionalId, serviceTypeId, ...slotFor(new Date(startMs), service) };
  }
}

/** The start of every slot of the grids, earliest first, without duplicates. */
function* gridOf(open: Iterable<TimeRange>, service: ServiceLength): Generator<number> {
  for (const openings of overlapping(open)) {
    const starts = openings.flatMap((opening) => gridStarts(opening, service));
    yield* openings.length === 1 ? starts : [...new Set(starts)].sort((a, b) => a - b);
  }
}

function gridStarts(opening: TimeRange, service: ServiceLength): number[] {
  // A custom length may have seconds, but offered times do not.
  const stepMs = Math.ceil(service.durationMinutes + service.bufferMinutes) * MINUTE_MS;
  const lastStart = opening.until.getTime() - service.durationMinutes * MINUTE_MS;
  const starts: number[] = [];
  for (let start = opening.from.getTime(); start <= lastStart; start += stepMs) starts.push(start);
  return starts;
}

/** Groups openings that overlap directly or through others. */
function* overlapping(open: Iterable<TimeRange>): Generator<TimeRange[]> {
  let group: TimeRange[] = [];
  let until = 0;
  for (const opening of open) {
    if (group.length > 0 && opening.from.getTime() >= until) {
      yield group;
      group = [];
    }
    group.push(opening);
    until = Math.max(until, opening.until.getTime());
  }
  if (group.length > 0) yield group;
}

/** How long a slot occupies its professional, in milliseconds. */
function takenMs({ durationMinutes, bufferMinutes }: ServiceLength): number {
  return Math.round((durationMinutes + bufferMinutes) * MINUTE_MS);
}

/** Whether a time is free; must be called in order of start times. */
function askInOrder(taken: readonly TakenMs[]): (fromMs: number, untilMs: number) => boolean {
  let next = 0;
  return (fromMs, untilMs) => {
    for (let range = taken[next]; range && range[1] <= fromMs; range = taken[next]) next += 1;
    const first = taken[next];
    return first === undefined || untilMs <= first[0];
  };
}

/** The `count` slots nearest to `wanted`, earliest first. */
export function nearestSlots<Each extends Slot>(slots: readonly Each[], wanted: Date, count: number): Each[] {
  const distance = (slot: Slot) => Math.abs(slot.startsAt.getTime() - wanted.getTime());
  return [...slots]
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, count)
    .sort((a, b) => a.startsAt.getTime() - b.startsAt.getTime());
}
