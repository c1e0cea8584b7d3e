import { listAgenda } from '../../db/appointments/list-agenda.ts';
import { localDay, localDayOf } from '../../domain/clinic/local-day.ts';
import { cursorByTime } from '../../domain/cursor.schema.ts';
import { listShownBlocks } from '../blocks/shown-block.ts';
import { clinicPage, type ClinicRequest, type PageRoute } from '../page-request.ts';
import { changeStatus, showAppointment, takeBack } from './appointment-changes.ts';
import { bookingPages, type BookingDependencies } from './booking-pages.ts';
import { dayPage } from './day-page.ts';
import { editPages } from './edit-pages.ts';
import { movePages } from './move-pages.ts';

const PAGE = 100;

const dayCursor = cursorByTime('day');

/** The clinic's day, and each appointment of it. */
export function appointmentPages(dependencies: BookingDependencies): PageRoute[] {
  const { timings } = dependencies;
  const path = '/appointments/:id';
  return [
    clinicPage('GET', '/appointments', 'appointments', showDay),
    // Before those that take any id.
    ...bookingPages(dependencies),
    clinicPage('GET', path, 'appointments', (request) => showAppointment(request, timings)),
    clinicPage('POST', path, 'appointments', (request) => changeStatus(request, timings)),
    clinicPage('POST', `${path}/take-back`, 'appointments', (request) => takeBack(request, timings)),
    ...editPages(dependencies),
    ...movePages(dependencies),
  ];
}

async function showDay({ tenantId, query, view, read }: ClinicRequest) {
  const { zone } = view.format;
  const day = localDay(query.get('day') ?? '', zone) ?? localDayOf(view.now, zone);
  const place = dayCursor.parameter.safeParse(query.get('cursor')).data;
  const after = place && { startsAt: new Date(place[0]), id: place[1] };
  const [found, blocks] = await read(async (em) => [
    await listAgenda(em, { tenantId, range: day, after, limit: PAGE + 1 }),
    await listShownBlocks(em, { tenantId, from: day.from, to: day.until }, { limit: PAGE }),
  ]);
  const entries = found.slice(0, PAGE);
  const last = found.length > PAGE ? entries.at(-1) : undefined;
  const cursor = last ? dayCursor.encode([last.startsAt.getTime(), last.id]) : null;
  const isByProfessional = query.get('by') === 'professional';
  return dayPage(view, { day, isByProfessional, entries, blocks, cursor, query });
}
