import { expect, test } from '@jest/globals';
import { SELF_SERVICE_WORDS } from '../../../dashboard/self-service/words.ts';
import { createAnswering } from '../../../dashboard/serving/answering.ts';
import { selfServiceRoutes } from '../../../dashboard/self-service/self-service-routes.ts';
import { createCookies } from '../../../dashboard/sign-in/cookies.ts';
import { TenantEntity } from '../../../db/entities/tenant.entity.ts';
import { book, inHours } from '../../support/clinic.ts';
import { suiteDashboard } from '../../support/pages/dashboard-server.ts';
import { SLUG } from './self-service-walk.ts';

/** Its public pages ask over the login that compose and the chart give them. */
const dashboard = await suiteDashboard();
const { database, clinic } = dashboard;
const open = { publicSlug: SLUG, publicBookingEnabled: true, config: { timezone: 'Europe/Lisbon' } };
await database.em().nativeUpdate(TenantEntity, { id: clinic.tenantId }, open);
const cookies = createCookies(false);
const answering = createAnswering(cookies, '');
const served = selfServiceRoutes({ ...dashboard.dependencies, cookies, answering, assets: '' });
/** Every page and form that needs no sign-in, as `GET /book/:slug`. */
const routes = (served.router?.stack ?? []).flatMap(({ methods, path }) =>
  methods.filter((method) => method !== 'HEAD').map((method) => `${method} ${String(path)}`),
);

let hours = 24 * 7;
const aTime = () => {
  hours += 2;
  return `${inHours(hours).toISOString()}/${dashboard.clinic.professionalIds[0]}`;
};

/** What is sent to each, and what its page then says. */
const GOOD: Record<string, { sent?: () => Record<string, string>; says: string }> = {
  'GET /book/:slug': { says: 'Check-up' },
  'POST /book/:slug/hold': { sent: chosen, says: 'We’re holding this time for you until' },
  'GET /book/:slug/details': { sent: chosen, says: SELF_SERVICE_WORDS.en.name },
  'POST /book/:slug/details': {
    sent: () => ({ ...chosen(), patientName: 'Maria Santos', patientPhone: '+351912345678' }),
    says: SELF_SERVICE_WORDS.en.booked,
  },
  'GET /book/a/:token': { says: SELF_SERVICE_WORDS.en.booked },
  'POST /book/a/:token/confirm': { says: SELF_SERVICE_WORDS.en.isConfirmed },
  'GET /book/a/:token/cancel': { says: SELF_SERVICE_WORDS.en.cancelQuestion },
  'POST /book/a/:token/cancel': { says: SELF_SERVICE_WORDS.en.isCancelled },
  'GET /book/a/:token/move': { says: SELF_SERVICE_WORDS.en.moveTitle },
  'POST /book/a/:token/move': { sent: () => ({ time: aTime() }), says: SELF_SERVICE_WORDS.en.booked },
  'GET /book/a/:token/visit.ics': { says: 'BEGIN:VCALENDAR' },
};

function chosen(): Record<string, string> {
  return { service: dashboard.clinic.serviceTypeId, professional: '', time: aTime() };
}

async function ask(route: string, language = 'en') {
  const [method, path = ''] = route.split(' ');
  const { database, clinic, dependencies } = dashboard;
  hours += 2;
  const { id } = await book(database, clinic, { startsAt: inHours(hours) });
  const address = path.replace(':slug', SLUG).replace(':token', dependencies.links.tokenOf(id));
  const fields = { version: id, ...GOOD[route]?.sent?.() };
  const patient = dashboard.stranger();
  const headers = { 'accept-language': language };
  const query = new URLSearchParams(fields).toString();
  return method === 'POST'
    ? patient.post(address, fields, headers)
    : patient.get(`${address}?${query}`, headers);
}

test('every public page and form does its work with the rights of guests', async () => {
  expect(routes.toSorted()).toEqual(Object.keys(GOOD).toSorted());
  for (const route of routes) {
    const page = await ask(route);
    expect([route, page.status, page.text.includes(GOOD[route]?.says ?? '')]).toEqual([route, 200, true]);
  }
});

test('every public page names the clinic’s time zone, in the visitor’s language', async () => {
  const zones = [
    ['en', 'Western European Time, Europe/Lisbon'],
    ['pt', 'Hora da Europa Ocidental, Europe/Lisbon'],
  ];
  for (const route of routes.filter((each) => !each.endsWith('.ics')))
    for (const [language = '', zone = ''] of zones) {
      const { text } = await ask(route, language);
      expect([route, text.includes(`(${zone})`)]).toEqual([route, true]);
    }
});

test('and asks nothing over the connections of staff', async () => {
  const em = dashboard.database.em();
  const asked = await em.execute<{ login: string }[]>(
    `SELECT DISTINCT usename AS login FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'clinic-public'`,
  );
  expect(asked).toEqual([{ login: 'clinic_public' }]);
});
