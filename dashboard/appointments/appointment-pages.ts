import { clinicPage, type PageRoute } from '../serving/page-request.ts';
import { changeStatus, showAppointment, takeBack } from './appointment-changes.ts';
import { bookingPages, type BookingDependencies } from './booking-pages.ts';
import { dayPages } from './day/day-pages.ts';
import { editPages } from './edit-pages.ts';
import { movePages } from './move-pages.ts';

/** The clinic's day, and each appointment of it. */
export function appointmentPages(dependencies: BookingDependencies): PageRoute[] {
  const { timings } = dependencies;
  const path = '/appointments/:id';
  return [
    // Before those that take any id.
    ...dayPages(dependencies),
    ...bookingPages(dependencies),
    clinicPage('GET', path, 'appointments', (request) => showAppointment(request, timings)),
    clinicPage('POST', path, 'appointments', (request) => changeStatus(request, timings)),
    clinicPage('POST', `${path}/take-back`, 'appointments', (request) => takeBack(request, timings)),
    ...editPages(dependencies),
    ...movePages(dependencies),
  ];
}
