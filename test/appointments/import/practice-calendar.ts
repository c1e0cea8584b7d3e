import { DateTime } from 'luxon';
import { chanceOf, type Chance } from '../../fuzz/chance.ts';
import type { TestClinic } from '../../support/clinic.ts';
import type { Item } from './imported-visits.ts';

const ZONE = 'Europe/Lisbon';
/** In minutes of the local day. With a buffer of 10 minutes, a service of 30 minutes fills its slot. */
const STARTS = [540, 580, 620, 660, 700, 740, 840, 880, 920, 960, 1000, 1040];
const SLOT_MINUTES = 40;
/** The hours in which the practice squeezes patients in. */
const BUSY_STARTS = new Set([620, 660, 700]);
const PATIENTS = 900;

/** A visit as the practice knows it. */
export interface BookedVisit {
  externalId: string;
  professionalId: string;
  serviceTypeId: string | null;
  startsAt: string;
  endsAt: string;
  hasOwnLength: boolean;
  status: 'confirmed' | 'attended' | 'no_show' | 'cancelled';
  overlap: boolean;
  patientName: string;
  patientPhone: string;
  patientExternalId: string | null;
  patientNotes: string | null;
  metadata: Record<string, unknown> | null;
  checkedInAt: string | null;
  cancellationReason: 'patient_requested' | 'clinic_cancelled' | 'auto' | null;
}

export interface BookedBlock {
  externalId: string;
  professionalId: string | null;
  startsAt: string;
  endsAt: string;
  title: string | null;
}

export interface PracticeCalendar {
  /** The visits of each day, in any order. */
  days: BookedVisit[][];
  blocks: BookedBlock[];
}

/**
 * A practice's calendar of whole weeks around today, the same for the same seed. Today is left out, because its visits
 * would begin and end while a test runs.
 */
export function practiceCalendar(
  clinic: TestClinic,
  { seed, weeksBack, weeksAhead }: { seed: number; weeksBack: number; weeksAhead: number },
): PracticeCalendar {
  const chance = chanceOf(seed);
  const today = DateTime.now().setZone(ZONE).startOf('day');
  const visitOf = createVisits(clinic, chance);
  const days: BookedVisit[][] = [];
  const blocks: BookedBlock[] = [];
  for (let offset = -7 * weeksBack; offset <= 7 * weeksAhead; offset += 1) {
    const day = today.plus({ days: offset });
    if (offset === 0 || day.weekday > 5) continue;
    const isPast = offset < 0;
    const slots = clinic.professionalIds.flatMap((professionalId) =>
      STARTS.map((minute) => ({ day, minute, professionalId, isPast })),
    );
    days.push(inAnyOrder(slots.flatMap(visitOf), chance));
    if (day.weekday === 5) blocks.push(...blocksOf(day, clinic));
  }
  return { days, blocks };
}

interface Slot {
  day: DateTime;
  minute: number;
  professionalId: string;
  isPast: boolean;
}

/** A meeting of each professional, and a free afternoon of the whole practice once a month. */
function blocksOf(day: DateTime, { professionalIds }: TestClinic): BookedBlock[] {
  const block = (
    nr: number,
    professionalId: string | null,
    [from, until]: [number, number],
  ): BookedBlock => ({
    externalId: `block-${day.toISODate()}-${nr}`,
    professionalId,
    startsAt: instantOf(day, from),
    endsAt: instantOf(day, until),
    title: professionalId === null ? null : `Meeting ${nr}`,
  });
  const meetings = professionalIds.map((id, nr) => block(nr, id, [780 + nr, 840]));
  return day.day <= 7 ? [...meetings, block(professionalIds.length, null, [1080, 1200])] : meetings;
}

/** The visits of a slot: none, one, one that was cancelled and its successor, or one with another squeezed in. */
function createVisits(clinic: TestClinic, chance: Chance): (slot: Slot) => BookedVisit[] {
  const isSo = (percent: number) => chance.below(100) < percent;
  let count = 0;

  function visit(slot: Slot, changes: Partial<BookedVisit> & { minute?: number } = {}): BookedVisit {
    const { minute = slot.minute, ...more } = changes;
    const nr = (count += 1);
    const patient = nr % PATIENTS;
    const startsAt = instantOf(slot.day, minute);
    return {
      externalId: `visit-${nr}`,
      professionalId: slot.professionalId,
      startsAt,
      ...lengthOf(slot, minute),
      ...statusOf(slot, startsAt),
      overlap: false,
      patientName: `Patient ${patient}`,
      patientPhone: `+351912${String(100_000 + patient)}`,
      patientExternalId: isSo(70) ? `patient-${patient}` : null,
      patientNotes: isSo(20) ? `Note ${nr}` : null,
      metadata: isSo(20) ? { room: chance.below(9) } : null,
      ...more,
    };
  }

  function lengthOf({ day, isPast }: Slot, minute: number) {
    const until = (minutes: number) => instantOf(day, minute + minutes);
    const { serviceTypeId } = clinic;
    if (!isSo(25)) return { serviceTypeId, endsAt: until(30), hasOwnLength: false };
    // Some visits of the past lasted into the next one.
    const longest = isPast && isSo(40) ? SLOT_MINUTES + 30 : SLOT_MINUTES;
    const service = isSo(50) ? { serviceTypeId, buffer: 10 } : { serviceTypeId: null, buffer: 0 };
    const minutes = 5 * (2 + chance.below((longest - service.buffer) / 5 - 1));
    return { serviceTypeId: service.serviceTypeId, endsAt: until(minutes), hasOwnLength: true };
  }

  function statusOf({ isPast }: Slot, startsAt: string) {
    const usual = { checkedInAt: null, cancellationReason: null };
    if (isSo(10)) return { ...usual, ...cancelled() };
    if (!isPast) return { ...usual, status: 'confirmed' as const };
    if (isSo(8)) return { ...usual, status: 'no_show' as const };
    const early = new Date(Date.parse(startsAt) - 60_000 * chance.below(20)).toISOString();
    return { ...usual, status: 'attended' as const, checkedInAt: isSo(60) ? early : null };
  }

  function cancelled() {
    const cancellationReason = chance.oneOf(['patient_requested', 'clinic_cancelled', 'auto'] as const);
    return { status: 'cancelled' as const, cancellationReason };
  }

  return (slot) => {
    if (isSo(15)) return [];
    const first = visit(slot);
    const visits = first.status === 'cancelled' && isSo(50) ? [first, visit(slot)] : [first];
    if (!BUSY_STARTS.has(slot.minute) || !isSo(40)) return visits;
    const minute = slot.minute + chance.oneOf([0, 20]);
    return [...visits, visit(slot, { minute, overlap: !slot.isPast })];
  };
}

/** By the clock on the wall, also on the days when it changes. */
function instantOf(day: DateTime, minute: number): string {
  return day
    .set({ hour: Math.floor(minute / 60), minute: minute % 60 })
    .toJSDate()
    .toISOString();
}

function inAnyOrder<Value>(values: readonly Value[], chance: Chance): Value[] {
  return values
    .map((value) => ({ value, place: chance.below(1_000_000) }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ value }) => value);
}

/** How the practice's system sends it. */
export function itemOf(visit: BookedVisit): Item {
  const { hasOwnLength, endsAt, status, cancellationReason, overlap, ...same } = visit;
  const isSaid = Object.entries(same).filter(([, value]) => value !== null);
  return {
    ...Object.fromEntries(isSaid),
    ...(hasOwnLength && { endsAt }),
    ...(status !== 'confirmed' && { status }),
    ...(cancellationReason && { reason: cancellationReason }),
    ...(overlap && { overlap }),
  };
}

/** The same calendar after two professionals have swapped all that is theirs. */
export function swapped<Entry extends { professionalId: string | null }>(
  entry: Entry,
  [one, other]: readonly [string, string],
): Entry {
  if (entry.professionalId === one) return { ...entry, professionalId: other };
  return entry.professionalId === other ? { ...entry, professionalId: one } : entry;
}
