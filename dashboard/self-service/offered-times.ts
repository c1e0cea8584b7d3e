import { DateTime } from 'luxon';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { nearestSlots, type FreeSlot } from '../../domain/appointments/availability.ts';
import { localDay, localDayOf, type LocalDay } from '../../domain/clinic/hours/local-day.ts';
import { overlapOf } from '../../domain/appointments/slot.ts';
import { isForPatients } from '../../domain/clinic/self-service.ts';
import { isUuid } from '../../domain/row-id.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { findTimesToBook, findTimesToMove } from './times-for-patients.ts';
import { asShown, isCorrectable, requireOffered } from '../appointments/time-choice.ts';
import type { Chosen } from './chosen.ts';
import { bookableNow, rulesOf, type Guest } from './guest.ts';
import type { Visit } from './visit.ts';

/** How far ahead free days are searched. */
const MAX_LOOK_MS = 31 * 86_400_000;

/** How long filling in the form may take, whatever the minimum notice. */
const FILLING_IN_MS = 15 * 60_000;

export interface OfferedDay {
  day: LocalDay;
  times: FreeSlot[];
  /** The day and those beside it, with the number of free times. */
  week: readonly { day: LocalDay; free: number }[];
  /** Whether no one asked for a day, so that the first time is the next free one. */
  isFirst: boolean;
  /** The next day with free times, if this day has none; null when there is none within a month. */
  next: LocalDay | null;
}

export type FindTimes = (
  em: EntityManager,
  range: { from: Date; until: Date },
) => Promise<Iterable<FreeSlot>>;

/**
 * The free times of a day; without a day, those of the first day that has some. @param find searches a range, earliest
 * first
 */
export async function offeredOn(guest: Guest, date: string | null, find: FindTimes): Promise<OfferedDay> {
  const { format, read } = guest;
  const bookable = bookableNow(guest);
  const asked = localDay(date ?? '', format.zone);
  const day = asked ?? localDayOf(bookable.from, format.zone);
  return read(async (em) => {
    const offer = async (on: LocalDay): Promise<OfferedDay> => {
      const days = weekOf(on, bookable.from, format.zone);
      const whole = { from: days[0]?.from ?? on.from, until: days.at(-1)?.until ?? on.until };
      const free = Map.groupBy(
        await find(em, overlapOf(whole, bookable)),
        ({ startsAt }) => localDayOf(startsAt, format.zone).date,
      );
      const timesOn = ({ date }: LocalDay) => onePerTime(free.get(date) ?? []);
      const week = days.map((each) => ({ day: each, free: timesOn(each).length }));
      return { day: on, times: timesOn(on), week, isFirst: !asked, next: null };
    };
    const offered = await offer(day);
    if (offered.times.length > 0) return offered;
    const later = { from: day.until, until: new Date(day.until.getTime() + MAX_LOOK_MS) };
    const [first] = await find(em, overlapOf(later, bookable));
    const next = first ? localDayOf(first.startsAt, format.zone) : null;
    return next && !asked ? offer(next) : { ...offered, next };
  });
}

const DAYS_OF_WEEK = 7;

/** Seven days with this one among them; the first seven begin with the first day that can be booked. */
function weekOf(day: LocalDay, bookableFrom: Date, zone: string): LocalDay[] {
  const [first, asked] = [bookableFrom, day.from].map((at) =>
    DateTime.fromJSDate(at, { zone }).startOf('day'),
  );
  if (!first || !asked) return [day];
  const weeks = Math.floor(asked.diff(first, 'days').days / DAYS_OF_WEEK);
  const start = first.plus({ weeks });
  return Array.from({ length: DAYS_OF_WEEK }, (_, at) =>
    localDayOf(start.plus({ days: at }).toJSDate(), zone),
  );
}

const MAX_NEAR = 6;

/**
 * Free times near a taken one: the same time with another professional and times on that day, or else times on the next
 * day that has some.
 * @param professional the professional who was requested; empty for anyone
 */
export async function timesNear(guest: Guest, chosen: Chosen, professional: string): Promise<FreeSlot[]> {
  const { service, time } = chosen;
  const { clinic, context, format } = guest;
  const professionalId = isUuid(professional) ? professional : undefined;
  const wanted = { tenantId: clinic.id, serviceTypeId: service, professionalId };
  const find: FindTimes = (em, range) => findTimesToBook(em, { ...wanted, range }, context.now);
  if (!isForPatients(service, rulesOf(guest))) return [];
  const { times, next } = await offeredOn(guest, localDayOf(time.startsAt, format.zone).date, find);
  const offered = next ? (await offeredOn(guest, next.date, find)).times : times;
  const sameTime = professionalId === undefined ? null : await sameTimeWithAnother(guest, chosen);
  return nearestSlots([...(sameTime ? [sameTime] : []), ...offered], time.startsAt, MAX_NEAR);
}

/** The free times to which an appointment can be moved, with the same professional; none if it cannot be moved. */
export function timesToMove({ context }: Guest, { appointment }: Visit): FindTimes {
  const { professionalId } = appointment;
  return async (em, range) => {
    try {
      return await findTimesToMove(em, appointment, { professionalId, range }, context.now);
    } catch (error) {
      if (isCorrectable(error)) return [];
      throw error;
    }
  };
}

/**
 * Checks the clinic's rules and the free times. @param isHeld whether this patient holds the time
 * @throws ServiceError `slot_conflict` when it cannot be booked
 */
export async function requireFree(guest: Guest, chosen: Chosen, isHeld = false): Promise<void> {
  if (!isOffered(guest, chosen)) throw new ServiceError('slot_conflict', 'This time is not offered.');
  if (isHeld) return;
  requireOffered(await freeAt(guest, chosen, chosen.time.professionalId), chosen.time);
}

/** The same time with another professional; null when patients may book it with no one else. */
export async function sameTimeWithAnother(guest: Guest, chosen: Chosen): Promise<FreeSlot | null> {
  if (!isOffered(guest, chosen)) return null;
  const free = await freeAt(guest, chosen, undefined);
  return Iterator.from(free).find((slot) => slot.professionalId !== chosen.time.professionalId) ?? null;
}

/** Whether the clinic's rules allow booking this time. */
function isOffered(guest: Guest, { service, time: { startsAt } }: Chosen): boolean {
  const { from, until } = bookableNow(guest);
  const earliest = Math.max(guest.context.now.getTime(), from.getTime() - FILLING_IN_MS);
  const isWithin = startsAt.getTime() > earliest && startsAt < until;
  return isWithin && isForPatients(service, rulesOf(guest));
}

function freeAt(guest: Guest, { service, time }: Chosen, professionalId: string | undefined) {
  const { clinic, context, read } = guest;
  const { startsAt } = time;
  const now = startsAt < bookableNow(guest).from ? asShown(time, context.now) : context.now;
  const range = { from: startsAt, until: new Date(startsAt.getTime() + 1) };
  const wanted = { tenantId: clinic.id, serviceTypeId: service, professionalId, range };
  return read((em) => findTimesToBook(em, wanted, now));
}

/**
 * Lists each time once, for patients without a preference. The free professionals take turns, so that the work is
 * shared.
 */
function onePerTime(slots: Iterable<FreeSlot>): FreeSlot[] {
  const byStart = Map.groupBy(slots, ({ startsAt }) => startsAt.getTime());
  return [...byStart.values()].flatMap((free, at) => free[at % free.length] ?? []);
}
