import { localDay, localDayOf, type LocalDay } from '../../../domain/clinic/hours/local-day.ts';
import { readLocalTime } from '../../language/local-time.ts';
import type { View } from '../../layout/view.ts';

/** The day that is looked at, and the time of it that someone asks for. */
export interface Wish {
  day: LocalDay;
  /** As a field for a time holds it; empty: none is asked for. */
  time: string;
  at: Date | null;
}

const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/;

/** What a form says, or an address: there `at` may hold the day, too. @param otherwise the day, by default */
export function wishIn(given: URLSearchParams, { format, now }: View, otherwise = now): Wish {
  const { zone } = format;
  const [date = '', clock] = (given.get('at') ?? '').split('T');
  const day =
    localDay(clock === undefined ? (given.get('day') ?? '') : date, zone) ?? localDayOf(otherwise, zone);
  const time = clock ?? date;
  if (!CLOCK.test(time)) return { day, time: '', at: null };
  return { day, time, at: readLocalTime(`${day.date}T${time}`, zone) };
}
