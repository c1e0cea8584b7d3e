import { countBookingsByHour } from '../../db/appointments/bookings-by-hour.ts';
import { listAgenda } from '../../db/appointments/list-agenda.ts';
import { countDeliveriesByHour } from '../../db/webhooks/deliveries/deliveries-by-hour.ts';
import { listEndpoints } from '../../db/webhooks/endpoints/list-endpoints.ts';
import { localDayOf } from '../../domain/clinic/local-day.ts';
import { clinicPage, type PageRoute } from '../page-request.ts';
import { HOURS, MOST_COUNTED, overviewPage } from './overview-page.ts';

const HOUR_MS = 3_600_000;
const MOST_LEFT = 10;

/** The first page of a clinic's people. */
export function overviewPages(): PageRoute[] {
  return [
    clinicPage('GET', '/', 'overview', async ({ tenantId, view, read }) => {
      const { now } = view;
      // The hour that it is now is the last one.
      const since = new Date((Math.floor(now.getTime() / HOUR_MS) - HOURS + 1) * HOUR_MS);
      const today = { from: now, until: localDayOf(now, view.format.zone).until };
      const counted = { tenantId, since };
      const [endpoints, bookings, deliveries, left] = await Promise.all([
        read((em) => listEndpoints(em, tenantId)),
        read((em) => countBookingsByHour(em, counted, MOST_COUNTED)),
        read((em) => countDeliveriesByHour(em, counted, MOST_COUNTED)),
        read((em) => listAgenda(em, { tenantId, range: today, status: 'confirmed', limit: MOST_LEFT })),
      ]);
      return overviewPage(view, { endpoints, bookings, deliveries, since, left });
    }),
  ];
}
