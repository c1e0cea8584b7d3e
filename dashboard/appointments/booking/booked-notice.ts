import { localDayOf } from '../../../domain/clinic/hours/local-day.ts';
import { html, type Html } from '../../../pages/html.ts';
import { notice } from '../../layout/components.ts';
import type { View } from '../../layout/view.ts';
import { BOOKING_WORDS } from '../booking-words.ts';
import { DAY_ADDRESS } from '../day/asked-day.ts';

interface Booked {
  appointment: { startsAt: Date; status: string };
  professionalName: string;
  /** All appointments of its chain of moves; several if it was rescheduled. */
  moves: readonly unknown[];
}

/** Confirms a booking or rescheduling by staff. @param query the query string of the page's address */
export function bookedNotice(
  { language, format, now }: View,
  query: URLSearchParams,
  { appointment: { startsAt, status }, professionalName, moves }: Booked,
): Html | null {
  if (!query.has('booked') || status !== 'confirmed') return null;
  const words = BOOKING_WORDS[language];
  const day = localDayOf(startsAt, format.zone).date;
  return notice(
    'good',
    html`<strong
        >${words.booked(moves.length > 1, format.dayAndTime(startsAt, now), professionalName)}</strong
      >
      <a href="${DAY_ADDRESS}?day=${day}">${words.toDay}</a>`,
  );
}
