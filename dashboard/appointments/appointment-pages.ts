import { clinicPage, type PageRoute } from '../serving/page-request.ts';
import { settle, showAppointment, takeBack, withNotice } from './appointment-changes.ts';
import { bookingPages, type BookingDependencies } from './booking-pages.ts';
import { dayPages } from './day/day-pages.ts';
import { editPages } from './edit-pages.ts';
import { movePages } from './move-pages.ts';
import { unacknowledgedPages } from './unacknowledged/unacknowledged-pages.ts';

/** The clinic's calendar, and the page of each appointment. */
export function appointmentPages(dependencies: BookingDependencies): PageRoute[] {
  const path = '/appointments/:id';
  return [
    // Before the routes with an id.
    ...dayPages(),
    ...bookingPages(dependencies),
    ...unacknowledgedPages(),
    clinicPage('GET', path, 'appointments', showAppointment),
    clinicPage('POST', path, 'appointments', (request) => withNotice(settle(request), 'settled')),
    clinicPage('POST', `${path}/take-back`, 'appointments', (request) =>
      withNotice(takeBack(request), 'undone'),
    ),
    ...editPages(dependencies),
    ...movePages(),
  ];
}
