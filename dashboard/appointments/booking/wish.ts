import { localDay, localDayOf, type LocalDay } from '../../../domain/clinic/hours/local-day.ts';
import { readLocalTime } from '../../language/local-time.ts';
import type { View } from '../../layout/view.ts';

/** The day shown and the requested time. */
export interface Wish {
  day: LocalDay;
  /** The value of a time field; empty for none. */
  time: string;
  at: Date | null;
}

const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/;

/**
 * Reads the requested time from a form or an address, whose `at` may include the day. @param otherwise the default day
 */
export function wishIn(given: URLSearchParams, { format, now }: View, otherwise = now): Wish {
  const { zone } = format;
  const [date = '', clock] = (given.get('at') ?? '').split('T');
  const day =
    localDay(clock === undefined ? (given.get('day') ?? '') : date, zone) ?? localDayOf(otherwise, zone);
  const time = clock ?? date;
  if (!CLOCK.test(time)) return { day, time: '', at: null };
  return { day, time, at: readLocalTime(`${day.date}T${time}`, zone) };
}
