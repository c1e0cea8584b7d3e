import { slotFor, type Slot, type TimeRange } from './slot.ts';

const MINUTE_MS = 60_000;

export interface ServiceLength {
  durationMinutes: number;
  bufferMinutes: number;
}

export interface FreeSlot extends Slot {
  professionalId: string;
}

/** When one professional works, and when they are taken. */
export interface Calendar {
  professionalId: string;
  /** Earliest first. */
  open: Iterable<TimeRange>;
  busy: readonly TimeRange[];
}

/**
 * The free slots by start, then by professional: on a grid of duration + buffer from each opening, ending before it
 * closes, clear of every busy range, starting within `range` and after `now`. They are reckoned as they are asked for, so
 * that whoever wants a few of a month pays for a few. docs/availability.md#the-grid
 */
export function* freeSlots(
  calendars: readonly Calendar[],
  service: ServiceLength,
  range: TimeRange,
  now: Date,
): Generator<FreeSlot> {
  const ofEach = calendars.map((calendar) => slotsOf(calendar, service, range, now));
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
  { professionalId, open, busy }: Calendar,
  service: ServiceLength,
  range: TimeRange,
  now: Date,
): Generator<FreeSlot, undefined> {
  const isFree = askInOrder(busy);
  for (const slot of gridSlots(open, service)) {
    if (slot.startsAt >= range.until) return;
    if (slot.startsAt < range.from || slot.startsAt <= now) continue;
    if (isFree(slot)) yield { professionalId, ...slot };
  }
}

/** Every slot of the grids, earliest first, and once where two grids have it. */
function* gridSlots(open: Iterable<TimeRange>, service: ServiceLength): Generator<Slot> {
  for (const openings of overlapping(open)) {
    const starts = new Set(openings.flatMap((opening) => gridStarts(opening, service)));
    for (const start of [...starts].sort((a, b) => a - b)) yield slotFor(new Date(start), service);
  }
}

function gridStarts(opening: TimeRange, service: ServiceLength): number[] {
  // A length of one's own may be of seconds: times that people are offered are not.
  const stepMs = Math.ceil(service.durationMinutes + service.bufferMinutes) * MINUTE_MS;
  const lastStart = opening.until.getTime() - service.durationMinutes * MINUTE_MS;
  const starts: number[] = [];
  for (let start = opening.from.getTime(); start <= lastStart; start += stepMs) starts.push(start);
  return starts;
}

/** Openings that overlap, directly or by others between them, together. */
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

/** Whether a slot is clear of the busy ranges; slots must be asked for in the order of their starts. */
function askInOrder(taken: readonly TimeRange[]): (slot: Slot) => boolean {
  const ranges = taken.toSorted(byStart);
  let next = 0;
  return ({ startsAt, blockUntil }) => {
    for (let range = ranges[next]; range && range.until <= startsAt; range = ranges[next]) next += 1;
    const first = ranges[next];
    return first === undefined || blockUntil <= first.from;
  };
}

function byStart(one: TimeRange, other: TimeRange): number {
  return one.from.getTime() - other.from.getTime();
}

/** The `count` slots that start nearest to `wanted`, earliest first. */
export function nearestSlots(slots: readonly Slot[], wanted: Date, count: number): Slot[] {
  const distance = (slot: Slot) => Math.abs(slot.startsAt.getTime() - wanted.getTime());
  return [...slots]
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, count)
    .sort((a, b) => a.startsAt.getTime() - b.startsAt.getTime());
}
