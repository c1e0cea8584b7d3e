import { expect, test } from '@jest/globals';
import { HISTORY_WORDS } from '../../../dashboard/support/history-words.ts';
import { DESK_WORDS } from '../../../dashboard/support/desk-words.ts';
import { SUPPORT_WORDS } from '../../../dashboard/support/words.ts';
import { FAILURE_WORDS } from '../../../dashboard/webhooks/failure-words.ts';
import { DateTime } from 'luxon';
import { uuidv7 } from 'uuidv7';
import { bookAppointment } from '../../../commands/appointments/book-appointment.ts';
import { AuditEventEntity } from '../../../db/entities/audit-event.entity.ts';
import { TenantEntity } from '../../../db/entities/tenant.entity.ts';
import { WebhookEndpointEntity } from '../../../db/entities/webhooks/webhook-endpoint.entity.ts';
import { WebhookDeliveryEntity } from '../../../db/entities/webhooks/webhook-delivery.entity.ts';
import { endLease, renewLease } from '../../../db/outbox/lease-rows.ts';
import { aLease } from '../../support/leases.ts';
import { insertRequests } from '../../../db/requests/request-log.ts';
import { aBooking, aClinic, aKey, anEndpoint, book, inHours, type TestClinic } from '../../support/clinic.ts';
import { suiteDashboard } from '../../support/pages/dashboard-server.ts';
import { formOf } from '../../support/pages/visitor.ts';
import { anEventFor, anEventUsedUp, attempted } from '../../webhooks/recorded-attempts.ts';

const dashboard = await suiteDashboard();
const { database } = dashboard;
const sofia = await dashboard.person('sofia');
/** Not the one whose people sign in here. */
const other = await aClinic(dashboard.database);
const endpointId = await anEndpoint(dashboard.database, other.tenantId);

/** Asks the box of whatever page. */
async function find(asked: string) {
  await sofia.get('/support/stuck');
  return sofia.submit('/support', { asked });
}

const viewed = () =>
  dashboard.database.em().find(AuditEventEntity, { action: 'support.viewed' }, { orderBy: { id: 'desc' } });

test('support begins at the search, and sees no clinic’s pages', async () => {
  expect((await sofia.get('/')).url.pathname).toBe('/support');
  expect((await sofia.get('/integrations/keys')).status).toBe(403);
});

test('any id leads to its page or tells whose it is, and that someone looked is written down', async () => {
  const appointment = await book(dashboard.database, other);
  const page = `/support/appointments/${appointment.id}`;
  for (const question of [
    appointment.id,
    `appointment:${appointment.id}`,
    `  ${appointment.id.toUpperCase()} `,
  ]) {
    const { text, url } = await find(question);
    expect(url.pathname).toBe(page);
    expect(text).toContain(`/support/clinics/${other.tenantId}`);
    expect(text).not.toContain(appointment.patientName);
  }
  expect(await viewed()).toHaveLength(3);
  expect((await viewed())[0]).toMatchObject({ tenantId: other.tenantId, subjectId: appointment.id });
  const { eventId, id } = await anEventFor(dashboard.database, { tenantId: other.tenantId, endpointId });
  const professional = await find(other.professionalIds[0] ?? '');
  expect(professional.text).toContain(SUPPORT_WORDS.en.search.is.professional);
  expect(professional.text).toContain(`/support/clinics/${other.tenantId}`);
  for (const question of [eventId, endpointId])
    expect((await find(question)).text).toContain(`/support/deliveries/${id}`);
  expect((await find(`delivery:${eventId}:${endpointId}`)).text).toContain(`/support/deliveries/${id}`);
});

test('what a PMS calls an appointment or a patient finds it in whatever clinic, capitals aside', async () => {
  const numbers = { externalId: 'PMS-4711', patientExternalId: 'Pat-8' };
  const { id } = await book(dashboard.database, other, { ...numbers, startsAt: inHours(30) });
  for (const asked of ['pms-4711', 'PAT-8'])
    expect((await find(asked)).url.pathname).toBe(`/support/appointments/${id}`);
  for (const asked of ['PMS-0', 'Maria Santos', '☃'])
    expect((await find(asked)).text).toContain('No results.');
});

test('a phone finds the appointments of everyone who has it in every clinic, and is in no address', async () => {
  const hashIn = ({ tenantId }: TestClinic) =>
    dashboard.dependencies.phoneHash({ tenantId, e164: '+351934567890' });
  const booked = await Promise.all(
    [other, dashboard.clinic].map((clinic) =>
      book(dashboard.database, clinic, { patientPhoneHash: hashIn(clinic), startsAt: inHours(32) }),
    ),
  );
  for (const asked of ['934 567 890', '+351934567890']) {
    const { text, url } = await find(asked);
    for (const { id } of booked) expect(text).toContain(`/support/appointments/${id}`);
    expect(url.href).not.toMatch(/934.?567.?890/);
  }
});

test('a clinic is found by words of its name, a receiver by its host, a key by how it begins', async () => {
  const clinic = await aClinic(database);
  const { tenantId } = clinic;
  await database.em().nativeUpdate(TenantEntity, { id: tenantId }, { name: 'Consultório São Brás' });
  const clinicPage = `/support/clinics/${tenantId}`;
  expect((await find('bras consult')).url.pathname).toBe(clinicPage);
  const secret = await aKey(database, tenantId);
  expect((await find(secret.slice(0, 15))).url.pathname).toBe(clinicPage);
  const url = 'https://hooks.saobras.example/in?token=secret';
  const endpoint = await anEndpoint(database, tenantId);
  await database.em().nativeUpdate(WebhookEndpointEntity, { id: endpoint }, { url });
  const found = await find('saobras.example');
  expect(found.url.search).toBe(`?endpoint=${endpoint}`);
  const { text } = await sofia.get(clinicPage);
  for (const shown of ['Europe/Lisbon', 'hooks.saobras.example', 'test']) expect(text).toContain(shown);
  expect(text).not.toContain('token=secret');
});

test('“10:30 yesterday never reached our PMS” is answered by the delivery, in the zone of the clinic', async () => {
  const clinic = await aClinic(database, { config: { timezone: 'Atlantic/Azores' } });
  const { tenantId } = clinic;
  await database.em().nativeUpdate(TenantEntity, { id: tenantId }, { name: 'Clínica Hortênsia' });
  const place = { tenantId, endpointId: await anEndpoint(database, tenantId) };
  const yesterday = DateTime.now().setZone('Atlantic/Azores').minus({ days: 1 });
  const startsAt = yesterday.set({ hour: 10, minute: 30, second: 0, millisecond: 0 }).toJSDate();
  const { id } = await book(database, clinic, { startsAt, mayBackdate: true });
  const delivery = await anEventUsedUp(database, place);
  const now = DateTime.now().setZone('Atlantic/Azores');
  for (const [asked, address] of [
    ['Hortensia 10:30 yesterday', `/support/appointments/${id}`],
    [`10h30 ${yesterday.toFormat('d/M')}, hortênsia`, `/support/appointments/${id}`],
    ['ontem às 10:30', `/support/appointments/${id}`],
    [`hortensia ${now.toFormat('HH:mm')}`, `/support/deliveries/${delivery.id}`],
  ] as const) {
    const { text } = await find(asked);
    expect([asked, text.includes(address)]).toEqual([asked, true]);
  }
  const { text } = await find('Hortensia 10:30 yesterday');
  expect(text).toMatch(/10:30 GMT-1|10:30 GMT\b/);
  expect((await sofia.get(`/support/deliveries/${delivery.id}`)).text).toContain('failed after 6 attempts');
  expect((await find('No such clinic 10:30 yesterday')).text).toContain('No clinic matches that name.');
});

test('what was asked for is found by the id of its request, with the appointment that it changed', async () => {
  const requestId = uuidv7();
  const { tenantId } = other;
  const keyId = uuidv7();
  const request = {
    method: 'POST',
    route: '/v1/appointments',
    status: 201,
    error: null,
    durationMs: 12,
    fields: [],
    wrongFields: [],
  };
  await insertRequests(database.em(), [{ id: requestId, tenantId, keyId, ...request }]);
  const wanted = aBooking(other, { startsAt: inHours(60) });
  const context = { actor: `key:${keyId}`, requestId, now: new Date() };
  const { id } = await database.write((em) => bookAppointment(em, wanted, context));
  const { text, url } = await find(requestId);
  expect(url.pathname).toBe(`/support/requests/${requestId}`);
  for (const shown of ['POST /v1/appointments', '201', `/support/appointments/${id}`])
    expect(text).toContain(shown);
});

test('what never arrived is shown on the page of the clinic, and sent again together, once', async () => {
  const clinic = await aClinic(database);
  const { tenantId } = clinic;
  for (let events = 0; events < 2; events += 1)
    await anEventUsedUp(database, { tenantId, endpointId: await anEndpoint(database, tenantId) });
  const page = await sofia.get(`/support/clinics/${tenantId}`);
  const [, shown = ''] = /Send (?:all )?(\w+) events? again/.exec(page.text) ?? [];
  const fields = formOf(page.text, '/support/given-up');
  for (let times = 0; times < 2; times += 1) {
    const sent = await sofia.post('/support/given-up', fields);
    expect(sent.text).toContain(`${shown} events queued for resending`);
  }
  const asked = { action: 'endpoint.replayed', tenantId } as const;
  expect(await database.em().count(AuditEventEntity, asked)).toBe(2);
});

test('what never arrived at a canceled clinic is left out of what can be sent again, and says so', async () => {
  const { tenantId } = await aClinic(database);
  await anEventUsedUp(database, { tenantId, endpointId: await anEndpoint(database, tenantId) });
  await database.em().nativeUpdate(TenantEntity, { id: tenantId }, { status: 'canceled' });
  const { text } = await sofia.get(`/support/clinics/${tenantId}`);
  expect(text).toContain(DESK_WORDS.en.undelivered.isCanceled);
  expect(text).not.toMatch(/Send (?:all )?\w+ events? again/);
});

test('the id of an event that is not here, as a ticket of another deployment names it, finds nothing', async () => {
  const page = await find(`evt_${uuidv7().replaceAll('-', '')}`);
  expect([page.status, page.url.pathname]).toEqual([200, '/support']);
  expect(page.text).toContain('No results');
});

test('the board of what is stuck shows the oldest first, and retries it', async () => {
  expect((await sofia.get('/support/stuck')).text).toContain(SUPPORT_WORDS.en.stuck.none);
  const tenMinutesAgo = new Date(Date.now() - 600_000);
  const place = { tenantId: other.tenantId, endpointId };
  const delivery = await anEventFor(dashboard.database, place, tenMinutesAgo);
  await attempted(dashboard.database, delivery, { number: 1, status: 500 });
  const { text } = await sofia.get('/support/stuck');
  expect(text).toContain('10 minutes ago');
  expect(text).toContain(`500 · ${FAILURE_WORDS.en.http_5xx.title}`);
  const retried = await sofia.submit(`/support/endpoints/${endpointId}/retry`);
  expect(retried.text).toContain('Retrying one delivery now.');
});

test('an appointment’s whole history is there, its patient only on request, and that is written down', async () => {
  const appointment = await book(dashboard.database, other, {
    startsAt: inHours(50),
    patientNotes: 'Afraid of needles',
  });
  const [delivery] = await dashboard.database
    .em()
    .find(WebhookDeliveryEntity, { appointmentId: appointment.id });
  if (!delivery) throw new Error('the booking has no delivery');
  await attempted(dashboard.database, delivery, { number: 1, status: 500 });
  const { text } = await sofia.get(`/support/appointments/${appointment.id}`);
  expect(text).toContain(`appointment:${appointment.id}`);
  expect(text).toContain(`workflows/${encodeURIComponent(String(delivery.workflowId))}"`);
  expect(text).toContain('receiver.example');
  for (const known of [appointment.patientName, 'Afraid of needles']) expect(text).not.toContain(known);
  const shown = await sofia.submit(`/support/appointments/${appointment.id}/patient`);
  for (const known of [appointment.patientName, 'Afraid of needles']) expect(shown.text).toContain(known);
  const entry = { action: 'support.patient_viewed', subjectId: appointment.id } as const;
  expect(await dashboard.database.em().count(AuditEventEntity, entry)).toBe(1);
});

test('a delivery tells why it stands where it stands, and is sent again', async () => {
  const delivery = await anEventUsedUp(database, { tenantId: other.tenantId, endpointId });
  const { text } = await sofia.get(`/support/deliveries/${delivery.id}`);
  expect(text).toContain('failed after 6 attempts; the last attempt: endpoint failed (http_5xx, 500)');
  const resent = await sofia.submit(`/support/deliveries/${delivery.id}/resend`);
  expect(resent.url.pathname).not.toContain(delivery.id);
  expect(resent.text).toContain(HISTORY_WORDS.en.delivery.resent);
});

test('a retry that is due tells when no worker can make it, and when none reaches Temporal', async () => {
  const delivery = await anEventFor(database, { tenantId: other.tenantId, endpointId });
  await attempted(database, delivery, { number: 1, status: 500 });
  await database.em().execute(`DELETE FROM outbox WHERE message ->> 'deliveryId' = ?`, [delivery.id]);
  await database
    .em()
    .nativeUpdate(WebhookDeliveryEntity, { id: delivery.id }, { nextAttemptAt: new Date(0) });
  const situation = async () => (await sofia.get(`/support/deliveries/${delivery.id}`)).text;
  expect(await situation()).toContain('attempt 2 is due, but no worker is running');
  const workerId = await aLease(database.em());
  expect(await situation()).toMatch(
    /attempt 2 is due, but no worker has been able to reach Temporal since \d{4}-/,
  );
  await renewLease(database.em(), workerId, { seconds: 3600, reachesTemporal: true });
  expect(await situation()).not.toContain('is due, but');
  await endLease(database.em(), workerId);
});

test('the whole service is examined when support asks', async () => {
  expect((await sofia.get('/support/health?examined=yes')).text).toContain(SUPPORT_WORDS.en.health.well);
});

test('no one of a clinic sees the support desk', async () => {
  const ana = await dashboard.person('ana');
  for (const path of ['/support', '/support/stuck', '/support/health'])
    expect((await ana.get(path)).status).toBe(403);
});
