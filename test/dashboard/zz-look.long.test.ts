import { test } from '@jest/globals';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { TenantEntity } from '../../db/entities/tenant.entity.ts';
import { ServiceTypeEntity } from '../../db/entities/service-type.entity.ts';
import { WebhookDeliveryEntity } from '../../db/entities/webhook-delivery.entity.ts';
import { WebhookEndpointEntity } from '../../db/entities/webhook-endpoint.entity.ts';
import { WebhookEventEntity } from '../../db/entities/webhook-event.entity.ts';
import { anEndpoint } from '../support/clinic.ts';
import { openBrowser } from '../support/pages/browser.ts';
import { aCall } from './calls/a-call.ts';
import { agreedInCall } from './ten-tasks/agreed-in-call.ts';
import { dayIn, fillToday, NOW, startClinicDay, TODAY } from './ten-tasks/clinic-day.ts';
import { attempted } from '../webhooks/recorded-attempts.ts';
import { signedIn } from './sessions/signed-in.ts';
import { forSuite } from '../support/for-suite.ts';
import { listen } from '../../dashboard/serving/listen.ts';
import { serveGallery } from '../../dev/gallery/serve-gallery.ts';

const OUT = process.env['LOOK_DIR'] ?? '/work/tmp/look-work';
const ONLY = process.env['LOOK'];
const MODES = process.env['LOOK_MODES'] ?? 'desk-light,phone-light';

test('look', async () => {
  mkdirSync(OUT, { recursive: true });
  const browser = await forSuite(openBrowser());
  const day = await forSuite(startClinicDay());
  await fillToday(day);
  const { database, clinic, pms } = day;
  const { tenantId } = clinic;
  const em = database.em();
  const place = {
    address: 'Rua da Luz 12',
    postalCode: '1600-001',
    city: 'Lisboa',
    phone: '+351210000000',
    publicSlug: 'clinica-da-luz',
    publicBookingEnabled: true,
    name: 'Clínica da Luz',
  };
  await em.nativeUpdate(TenantEntity, { id: tenantId }, place);
  await em.nativeUpdate(ServiceTypeEntity, { id: clinic.serviceTypeId }, { priceEur: '50.00' });
  await em.nativeUpdate(
    ServiceTypeEntity,
    { id: day.services.cirurgia },
    { priceEur: '1180.00', description: 'Traga as suas radiografias, se as tiver.' },
  );
  const bad = await anEndpoint(database, tenantId);
  await em.nativeUpdate(
    WebhookEndpointEntity,
    { id: bad },
    { description: 'Agenda Web', url: 'https://agenda.example/hooks/of/many/parts' },
  );
  const HOUR = 3_600_000;
  let last = '';
  let appointment = '';
  for (let n = 0; n < 36; n += 1) {
    const patientName = ['Sandra Quintas', 'Artur Melo', 'Paula Neves', 'Rui Tavares'][n % 4] ?? '';
    const hour = String(9 + (n % 8)).padStart(2, '0');
    if (hour === '13') continue;
    const made = await day.booked(dayIn(2 + Math.floor(n / 8)), `${hour}:00`, {
      patientName,
      professionalId: [day.who.eva, day.who.joao][n % 2] ?? '',
    });
    appointment = made.id;
    const at = new Date(NOW.getTime() - ((n * 37) % 23) * HOUR - n * 60_000);
    const { firstIdAt } = await import('../../domain/first-id.ts');
    for (const one of await em.fork().find(WebhookDeliveryEntity, { appointmentId: made.id })) {
      const id = `${firstIdAt(at, 0).slice(0, 24)}${one.id.slice(24)}`;
      await em
        .execute('UPDATE webhook_delivery SET id = ? WHERE id = ?', [id, one.id])
        .catch((error: unknown) => process.stderr.write(String(error)));
    }
    for (const delivery of await em.fork().find(WebhookDeliveryEntity, { appointmentId: made.id })) {
      await em.nativeUpdate(WebhookEventEntity, { id: delivery.eventId }, { createdAt: at });
      await em.nativeUpdate(WebhookDeliveryEntity, { id: delivery.id }, { createdAt: at });
      const isBad = delivery.endpointId === bad;
      if (isBad) {
        await attempted(database, delivery, {
          number: 1,
          status: 401,
          startedAt: at,
          errorClass: 'http_4xx',
        });
        last = delivery.id;
      } else if (n % 7 === 3) {
        await attempted(database, delivery, { number: 1, status: 503, startedAt: at, durationMs: 240 });
        await attempted(database, delivery, {
          number: 2,
          status: 200,
          startedAt: new Date(at.getTime() + 60_000),
          durationMs: 12,
        });
      } else
        await attempted(database, delivery, { number: 1, status: 200, startedAt: at, durationMs: 10 + n });
    }
  }
  const call = await agreedInCall(day);
  for (const [minutes, outcome] of [
    [30, 'no_answer_from_user'],
    [90, 'info_only'],
    [200, 'booking_created'],
  ] as const)
    await aCall(day, {
      from: `+35191${String(minutes).padStart(7, '1')}`,
      startedAt: new Date(NOW.getTime() - minutes * 60_000),
      outcome: outcome as never,
    }).catch(() => aCall(day, { startedAt: new Date(NOW.getTime() - minutes * 60_000) }));
  const gallery = await listen(serveGallery(), { host: '127.0.0.1', port: 0 });
  const next = dayIn(1);
  const service = clinic.serviceTypeId;
  const own = (path: string) => `${day.url}${path}`;
  const pages: [string, 'ana' | 'rita' | 'sofia' | null, string][] = [
    ['01-day', 'rita', own(`/appointments?day=${TODAY}`)],
    ['02-day-list', 'rita', own(`/appointments?day=${TODAY}&view=list`)],
    ['03-week', 'rita', own(`/appointments?day=${TODAY}&view=week&who=${day.who.rui}`)],
    ['04-appointment', 'ana', own(`/appointments/${appointment}`)],
    ['05-book', 'rita', own(`/appointments/new?day=${next}&service=${service}`)],
    ['06-calls', 'rita', own('/calls')],
    ['07-call', 'rita', own(`/calls/${call}`)],
    ['08-overview', 'ana', own('/')],
    ['09-endpoints', 'ana', own('/integrations/endpoints')],
    ['10-endpoint', 'ana', own(`/integrations/endpoints/${pms}`)],
    ['11-endpoint-refusing', 'ana', own(`/integrations/endpoints/${bad}`)],
    ['12-deliveries', 'ana', own('/integrations/deliveries')],
    ['13-delivery', 'ana', own(`/integrations/deliveries/${last}`)],
    ['14-keys', 'ana', own('/integrations/keys')],
    ['15-settings', 'ana', own('/settings')],
    ['16-hours', 'ana', own('/settings/hours')],
    ['17-support', 'sofia', own(`/support/clinics/${tenantId}`)],
    ['18-public-service', null, own('/book/clinica-da-luz')],
    ['19-public-times', null, own(`/book/clinica-da-luz?service=${service}`)],
    ['20-gallery', null, `http://127.0.0.1:${gallery.port}/`],
    ['21-move', 'rita', own(`/appointments/${appointment}/move`)],
    ['22-patients', 'rita', own('/patients?q=Sandra')],
    ['23-requests', 'ana', own('/integrations/requests')],
    ['24-services', 'ana', own('/settings/services')],
    ['25-team', 'ana', own('/settings/professionals')],
    ['26-audit', 'ana', own('/settings/audit')],
    ['27-support-clinics', 'sofia', own('/support/clinics')],
    ['28-stuck', 'sofia', own('/support/stuck')],
    ['29-gallery-guest', null, `http://127.0.0.1:${gallery.port}/guest`],
    ['30-booking-settings', 'ana', own('/settings/booking')],
  ];
  const views: Record<string, object> = {
    'desk-light': { viewport: { width: 1440, height: 900 }, colorScheme: 'light', locale: 'en-GB' },
    'desk-dark': { viewport: { width: 1440, height: 900 }, colorScheme: 'dark', locale: 'en-GB' },
    'phone-light': { viewport: { width: 360, height: 740 }, colorScheme: 'light', locale: 'pt-PT' },
    'phone-dark': { viewport: { width: 360, height: 740 }, colorScheme: 'dark', locale: 'pt-PT' },
  };
  const wanted = ONLY?.split(',');
  for (const mode of MODES.split(',')) {
    const people = new Map<string, Awaited<ReturnType<typeof signedIn>>>();
    for (const [name, who, address] of pages) {
      if (wanted && !wanted.some((each) => name.startsWith(each))) continue;
      if (who && !people.has(who)) people.set(who, await signedIn(day, who));
      const context = await browser.newContext({ ...views[mode], ...(who && people.get(who)) });
      const page = await context.newPage();
      const response = await page.goto(address);
      const wide = await page.evaluate('document.documentElement.scrollWidth');
      const bytes = (await response?.body())?.length;
      const primary = await page.evaluate(
        "document.querySelectorAll('main button:not(.second, .danger, .link, .visit *, .scripted), main a.button:not(.second)').length",
      );
      process.stderr.write(`primary ${String(primary)} `);
      process.stderr.write(
        `${name} ${mode} ${String(response?.status())} ${String(wide)} px ${String(bytes)} bytes\n`,
      );
      await page.screenshot({ path: join(OUT, `${name}-${mode}.png`), fullPage: true });
      await context.close();
    }
  }
  await gallery[Symbol.asyncDispose]();
}, 900_000);
