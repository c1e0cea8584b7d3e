import { z } from 'zod';
import { changeAppointment } from '../../commands/appointments/change-appointment.ts';
import { listAgenda } from '../../db/appointments/list-agenda.ts';
import { localDay, localDayOf } from '../../domain/clinic/local-day.ts';
import { cursorOf } from '../../domain/cursor.schema.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { Timings } from '../../domain/timings.ts';
import { clinicPage, type ClinicRequest, type PageRoute } from '../page-request.ts';
import { readFields } from '../read-fields.ts';
import { appointmentPage } from './appointment-page.ts';
import { bookingPages, type BookingDependencies } from './booking-pages.ts';
import { dayPage } from './day-page.ts';
import { findWholeAppointment } from './find-whole-appointment.ts';
import { movePages } from './move-pages.ts';

const PAGE = 100;

const dayCursor = cursorOf('day', z.tuple([z.number(), z.guid()]));

const statusFields = z.object({
  status: z.enum(['attended', 'no_show', 'cancelled']),
  reason: z.enum(['patient_requested', 'clinic_cancelled']).optional(),
});

/** The clinic's day, and each appointment of it. */
export function appointmentPages(dependencies: BookingDependencies): PageRoute[] {
  const { timings } = dependencies;
  const path = '/appointments/:id';
  return [
    clinicPage('GET', '/appointments', 'appointments', showDay),
    // Before those that take any id.
    ...bookingPages(dependencies),
    clinicPage('GET', path, 'appointments', (request) => showAppointment(request, timings)),
    clinicPage('POST', path, 'appointments', async (request) => {
      const { tenantId, form, write, context } = request;
      const { fields } = readFields(statusFields, form);
      const appointmentId = request.path['id'] ?? '';
      const change = { tenantId, appointmentId, ...fields, mayBackdate: false, timings };
      try {
        await write((em) => changeAppointment(em, change, context));
        return { to: `/appointments/${appointmentId}` };
      } catch (error) {
        // Somebody else has changed it meanwhile.
        if (!(error instanceof ServiceError && error.status === 409)) throw error;
        return showAppointment(request, timings, error);
      }
    }),
    ...movePages(dependencies),
  ];
}

async function showDay({ tenantId, query, view, read }: ClinicRequest) {
  const { zone } = view.format;
  const day = localDay(query.get('day') ?? '', zone) ?? localDayOf(view.now, zone);
  const place = dayCursor.parameter.safeParse(query.get('cursor')).data;
  const after = place && { startsAt: new Date(place[0]), id: place[1] };
  const found = await read((em) => listAgenda(em, { tenantId, range: day, after, limit: PAGE + 1 }));
  const entries = found.slice(0, PAGE);
  const last = found.length > PAGE ? entries.at(-1) : undefined;
  const cursor = last ? dayCursor.encode([last.startsAt.getTime(), last.id]) : null;
  const isByProfessional = query.get('by') === 'professional';
  return dayPage(view, { day, isByProfessional, entries, cursor, query });
}

async function showAppointment(
  { tenantId, path, view, read }: ClinicRequest,
  timings: Timings,
  refused?: ServiceError,
) {
  const whole = await read((em) => findWholeAppointment(em, tenantId, path['id'] ?? ''));
  return appointmentPage(view, whole, timings, refused);
}
