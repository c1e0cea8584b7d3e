import { expect, test } from '@jest/globals';
import { OVERVIEW_WORDS } from '../../dashboard/overview/words.ts';
import { TenantEntity } from '../../db/entities/tenant.entity.ts';
import { WebhookDeliveryEntity } from '../../db/entities/webhooks/webhook-delivery.entity.ts';
import { WebhookEndpointEntity } from '../../db/entities/webhooks/webhook-endpoint.entity.ts';
import { localDayOf } from '../../domain/clinic/hours/local-day.ts';
import { aKey, anEndpoint, book, change, inHours } from '../support/clinic.ts';
import { suiteDashboard } from '../support/pages/dashboard-server.ts';
import { anEventFor, attempted } from '../webhooks/recorded-attempts.ts';
import { aCall } from './calls/a-call.ts';

const dashboard = await suiteDashboard();
const { database, clinic } = dashboard;
const owner = await dashboard.person('ana');
const rita = await dashboard.person('rita');

const em = () => dashboard.database.em();

test('a clinic that begins sees what is still to be set up, ticked off as it is done', async () => {
  const stepsOf = async () =>
    Array.from(
      (await owner.get('/')).text.match(/<ol>([\s\S]*?)<\/ol>/)?.[1]?.matchAll(/<li>([\s\S]*?)<\/li>/g) ?? [],
      ([, step = '']) => step.includes('✓'),
    );
  expect(await stepsOf()).toEqual([false, true, true, false, false, false, false, false]);
  expect((await rita.get('/')).text).not.toContain(OVERVIEW_WORDS.en.steps.title);
  await aKey(database, clinic.tenantId);
  const endpointId = await anEndpoint(database, clinic.tenantId);
  const config = { timezone: 'Europe/Lisbon', greeting: 'Olá', businessHours: { mon: [['09:00', '13:00']] } };
  const online = { publicSlug: 'da-luz', publicBookingEnabled: true };
  await em().nativeUpdate(TenantEntity, { id: clinic.tenantId }, { config, ...online });
  expect(await stepsOf()).toEqual([true, true, true, true, true, true, true, false]);
  expect((await owner.get('/')).text).toContain('7 of 8 done');
  const delivery = await anEventFor(database, { tenantId: clinic.tenantId, endpointId });
  await attempted(database, delivery, { number: 1, status: 200 });
  expect((await owner.get('/')).text).not.toContain(OVERVIEW_WORDS.en.steps.title);
  await em().nativeUpdate(TenantEntity, { id: clinic.tenantId }, { config: { timezone: 'Europe/Lisbon' } });
  await em().nativeUpdate(WebhookEndpointEntity, { id: endpointId }, { deletedAt: new Date() });
});

test('the first page shows the last day, the patients still to come, and an endpoint that fails', async () => {
  const endpointId = await anEndpoint(database, clinic.tenantId);
  const booked = await book(database, clinic, { startsAt: inHours(40) });
  const failed = { lastErrorClass: 'tls_error', status: 'failed', nextAttemptAt: null } as const;
  await em().nativeUpdate(WebhookDeliveryEntity, { appointmentId: booked.id }, failed);
  const since = new Date(Date.now() - 3_600_000);
  const health = { status: 'failing', failingSince: since, deactivateAt: inHours(23) } as const;
  await em().nativeUpdate(WebhookEndpointEntity, { id: endpointId }, health);
  const { text } = await owner.get('/');
  expect(text).toContain(`/integrations/endpoints/${endpointId}`);
  expect(text.match(/class="chart"/g)).toHaveLength(2);
  expect(text).toContain('Failed or not sent: 1.');
  expect(text).toMatch(/aria-label="2 in 24 hours, 1 failed; busiest hour: 2, from \d\d:00 to \d\d:00\./);
  expect((await rita.get('/')).text).not.toContain('/integrations/');
});

test('the first page shows a hanging endpoint and calls to return to people who can act', async () => {
  const endpointId = await anEndpoint(database, clinic.tenantId);
  await em().nativeUpdate(WebhookEndpointEntity, { id: endpointId }, { description: 'Slow system' });
  const waiting = await book(database, clinic, { startsAt: inHours(44) });
  const hangs = { lastErrorClass: 'deadline_exceeded', status: 'retrying', attemptCount: 1 } as const;
  await em().nativeUpdate(WebhookDeliveryEntity, { appointmentId: waiting.id, endpointId }, hangs);
  const call = await aCall(dashboard, { outcome: 'voicemail' });
  const { text } = await owner.get('/');
  expect(text).toMatch(/<strong>Slow system<\/strong>: [^<]*Waiting deliveries: 1/);
  expect(text).toContain('To call back (1)');
  const seen = await rita.get('/');
  expect(seen.text).toContain(`href="/calls/${call}"`);
  expect(seen.text).not.toContain('Slow system');
  const done = await rita.submit(`/calls/${call}/call-back`);
  expect([done.url.pathname, done.text.includes(`href="/calls/${call}"`)]).toEqual(['/', false]);
});

test('the first page counts how today’s appointments stand, and begins with late patients', async () => {
  const [first = '', second = ''] = clinic.professionalIds;
  const today = localDayOf(new Date(), 'Europe/Lisbon');
  const startsAt = new Date(Math.max(today.from.getTime(), Date.now() - 240_000));
  const booking = { startsAt, mayBackdate: true };
  await book(database, clinic, { ...booking, professionalId: first, patientName: 'Comes Late' });
  const here = await book(database, clinic, { ...booking, professionalId: second, patientName: 'Is Here' });
  await change(database, clinic, here.id, { status: 'attended' });
  const { text } = await rita.get('/');
  expect(text).toMatch(/<strong class="figure">1<\/strong>\s+late, not checked in/);
  expect(text).toMatch(/<strong class="figure">1<\/strong>\s+checked in/);
  expect(text).toContain('Comes Late');
  expect(text).not.toContain('Is Here');
});
