import { z } from 'zod';
import { localDay, localDayOf, type LocalDay } from '../../../domain/clinic/hours/local-day.ts';
import type { View } from '../../layout/view.ts';

export const DAY_ADDRESS = '/appointments';

export type DayView = 'day' | 'week' | 'list';

/** The part of the calendar that an address requests. */
export interface AskedDay {
  day: LocalDay;
  view: DayView;
  /** The ids of professionals to show; empty for everyone who works or has bookings. */
  who: readonly string[];
  /** The number of professionals that are skipped. */
  first: number;
}

/** The parameter of a list that shows only appointments whose patient has confirmed (`yes`), or has not (`no`). */
export const CONFIRMED = 'confirmed';

/** Whether the list shows only confirmed or unconfirmed patients; undefined: all appointments. */
export function askedConfirmation(query: URLSearchParams): boolean | undefined {
  const answer = query.get(CONFIRMED);
  return answer === 'yes' || answer === 'no' ? answer === 'yes' : undefined;
}

const MAX_CHOSEN = 100;
const MAX_PASSED_OVER = 10_000;
const ids = z.array(z.guid().toLowerCase()).max(MAX_CHOSEN);
const passedOver = z.coerce.number().int().min(0).max(MAX_PASSED_OVER);

export function askedDay(query: URLSearchParams, { format, now }: View): AskedDay {
  const { zone } = format;
  const view = query.get('view');
  return {
    day: localDay(query.get('day') ?? '', zone) ?? localDayOf(now, zone),
    view: view === 'week' || view === 'list' ? view : 'day',
    who: ids.safeParse(query.getAll('who')).data ?? [],
    first: passedOver.safeParse(query.get('first') ?? 0).data ?? 0,
  };
}

/** The query string without default values. */
export function queryOf({ day, view, who, first }: Omit<AskedDay, 'day'> & { day: string }): string {
  const query = new URLSearchParams({ day });
  if (view !== 'day') query.set('view', view);
  for (const id of who) query.append('who', id);
  if (first > 0) query.set('first', String(first));
  return query.toString();
}
