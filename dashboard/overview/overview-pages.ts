import { createCallNumberVault } from '../../adapters/phones/call-numbers.ts';
import type { PhoneHash } from '../../adapters/phones/phone-hash.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { countBookingsByHour, countDeliveriesByHour } from '../../db/clinic/counts-by-hour.ts';
import { countDay, listAgenda } from '../../db/appointments/lists/agenda.ts';
import { countUnacknowledged, listUnacknowledged } from '../../db/appointments/lists/unacknowledged.ts';
import { findFirstSteps } from '../../db/clinic/first-steps.ts';
import { findEndpointsWithAnswers } from '../../db/webhooks/endpoints/endpoint-answers.ts';
import { countWaitingForRetry } from '../../db/webhooks/endpoints/list-endpoints.ts';
import { mayUse } from '../../domain/people/roles.ts';
import { localDayOf } from '../../domain/clinic/hours/local-day.ts';
import { calledBack } from '../calls/called-back.ts';
import { findCallsToReturn } from '../calls/find-call-list.ts';
import { clinicPage, idsOf, type ClinicRequest, type PageRoute } from '../serving/page-request.ts';
import { unacknowledgedSince } from '../appointments/unacknowledged/unacknowledged-page.ts';
import { MAX_UNACKNOWLEDGED, MAX_WAITING } from './attention-part.ts';
import { HOURS } from '../layout/bar-chart.ts';
import { lostOf, MAX_COUNTED } from './last-day-part.ts';
import { overviewPage } from './overview-page.ts';

export interface OverviewDependencies {
  database: Pick<Database, 'ciphers'>;
  phoneHash: PhoneHash;
}

const HOUR_MS = 3_600_000;
const MAX_LEFT = 5;
const MAX_CALLS = 5;
const MAX_MISSING = 5;

/** The start page of a clinic's staff. */
export function overviewPages({ database, phoneHash }: OverviewDependencies): PageRoute[] {
  const vault = createCallNumberVault(database.ciphers, phoneHash);
  return [
    clinicPage('GET', '/', 'overview', async (request) => {
      const { tenantId, view, read, noteShown } = request;
      const numbers = await vault.of(tenantId);
      const [today, lastDay, calls, missing, integrations, steps, done] = await Promise.all([
        findToday(request),
        findLastDay(request),
        read((em) => findCallsToReturn(em, { tenantId, limit: MAX_CALLS, numbers }, view)),
        findUnacknowledged(request),
        findIntegrations(request),
        read((em) => findFirstSteps(em, tenantId)),
        calledBack(request),
      ]);
      noteShown('appointment', idsOf([...today.left, ...missing.unacknowledged]));
      noteShown('call', idsOf(calls.calls.calls.map(({ call }) => call)));
      const undelivered = lostOf(lastDay.deliveries);
      return overviewPage(view, {
        today,
        lastDay,
        steps,
        attention: { ...calls, ...missing, ...integrations, undelivered },
        done,
      });
    }),
  ];
}

/** Nothing for people who do not see the webhook pages. */
async function findIntegrations({ tenantId, view, read }: ClinicRequest) {
  if (!mayUse(view.session, 'webhooks'))
    return { endpoints: [], answers: new Map<string, never>(), waiting: new Map<string, never>() };
  return read(async (em) => ({
    ...(await findEndpointsWithAnswers(em, tenantId, view.now)),
    waiting: await countWaitingForRetry(em, tenantId, MAX_WAITING),
  }));
}

async function findToday({ tenantId, view: { now, format }, read }: ClinicRequest) {
  const range = localDayOf(now, format.zone);
  const expected = { tenantId, range, statuses: ['confirmed'], limit: MAX_LEFT } as const;
  const [counted, left] = await Promise.all([
    read((em) => countDay(em, { tenantId, range, now })),
    read((em) => listAgenda(em, expected)),
  ]);
  return { counted, left };
}

async function findUnacknowledged({ tenantId, view: { now }, read }: ClinicRequest) {
  const wanted = { tenantId, since: unacknowledgedSince(now) };
  return read(async (em) => {
    const unacknowledged = await listUnacknowledged(em, { ...wanted, limit: MAX_MISSING });
    const isAll = unacknowledged.length < MAX_MISSING;
    const unacknowledgedCount = isAll
      ? unacknowledged.length
      : await countUnacknowledged(em, wanted, MAX_UNACKNOWLEDGED);
    return { unacknowledged, unacknowledgedCount };
  });
}

async function findLastDay({ tenantId, view: { now }, read }: ClinicRequest) {
  // The current hour is the last one.
  const since = new Date((Math.floor(now.getTime() / HOUR_MS) - HOURS + 1) * HOUR_MS);
  const counted = { tenantId, since };
  const [bookings, deliveries] = await Promise.all([
    read((em) => countBookingsByHour(em, counted, MAX_COUNTED)),
    read((em) => countDeliveriesByHour(em, counted, MAX_COUNTED)),
  ]);
  return { since, bookings, deliveries };
}
