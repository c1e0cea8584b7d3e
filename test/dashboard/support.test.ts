import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AuditEventEntity } from '../../db/entities/audit-event.entity.ts';
import { aClinic, anEndpoint, book, inHours, type TestClinic } from '../support/clinic.ts';
import { startTestDashboard, type TestDashboard } from '../support/pages/dashboard-server.ts';
import type { Visitor } from '../support/pages/visitor.ts';
import { anEventFor, anEventUsedUp, attempted } from '../webhooks/recorded-attempts.ts';

let dashboard: TestDashboard;
let sofia: Visitor;
/** Not the one whose people sign in here. */
let other: TestClinic;
let endpointId: string;

beforeAll(async () => {
  dashboard = await startTestDashboard();
  sofia = await dashboard.person('sofia');
  other = await aClinic(dashboard.database);
  endpointId = await anEndpoint(dashboard.database, other.tenantId);
});
afterAll(() => dashboard.stop());

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

test('any id tells what it is and whose, and that somebody looked is written down', async () => {
  const appointment = await book(dashboard.database, other);
  for (const question of [
    appointment.id,
    `appointment:${appointment.id}`,
    `  ${appointment.id.toUpperCase()} `,
  ]) {
    const { text } = await find(question);
    expect(text).toContain('An appointment');
    expect(text).toContain(other.tenantId);
    expect(text).not.toContain(appointment.patientName);
  }
  expect(await viewed()).toHaveLength(3);
  expect((await viewed())[0]).toMatchObject({ tenantId: other.tenantId, subjectId: appointment.id });
});

test('what a PMS calls an appointment finds it in whatever clinic', async () => {
  const appointment = await book(dashboard.database, other, {
    externalId: 'PMS-4711',
    startsAt: inHours(30),
  });
  const { text } = await find('PMS-4711');
  expect(text).toContain(`/support/appointments/${appointment.id}`);
  expect((await find('PMS-0')).text).toContain('Nothing has this id');
});

test('the board of what is stuck shows the oldest first, and retries it', async () => {
  expect((await sofia.get('/support/stuck')).text).toContain('Nothing is stuck.');
  const tenMinutesAgo = new Date(Date.now() - 600_000);
  const place = { tenantId: other.tenantId, endpointId };
  const delivery = await anEventFor(dashboard.database, place, tenMinutesAgo);
  await attempted(dashboard.database, delivery, { number: 1, status: 500 });
  const { text } = await sofia.get('/support/stuck');
  expect(text).toContain('10 minutes ago');
  expect(text).toContain('http_5xx');
  const retried = await sofia.submit(`/support/endpoints/${endpointId}/retry`);
  expect(retried.text).toContain('One delivery is attempted again now.');
});

test('an appointment’s whole history is there, its patient only on request, and that is written down', async () => {
  const appointment = await book(dashboard.database, other, {
    startsAt: inHours(50),
    patientNotes: 'Afraid of needles',
  });
  const { text } = await sofia.get(`/support/appointments/${appointment.id}`);
  expect(text).toContain(`appointment:${appointment.id}`);
  expect(text).toContain('receiver.example');
  for (const known of [appointment.patientName, 'Afraid of needles']) expect(text).not.toContain(known);
  const shown = await sofia.submit(`/support/appointments/${appointment.id}/patient`);
  for (const known of [appointment.patientName, 'Afraid of needles']) expect(shown.text).toContain(known);
  const entry = { action: 'support.patient_viewed', subjectId: appointment.id } as const;
  expect(await dashboard.database.em().count(AuditEventEntity, entry)).toBe(1);
});

test('a delivery tells why it stands where it stands, and is sent again', async () => {
  const { database } = dashboard;
  const delivery = await anEventUsedUp(database, { tenantId: other.tenantId, endpointId });
  const { text } = await sofia.get(`/support/deliveries/${delivery.id}`);
  expect(text).toContain('given up after 6 attempts, the last with http_5xx (500)');
  const resent = await sofia.submit(`/support/deliveries/${delivery.id}/resend`);
  expect(resent.url.pathname).not.toContain(delivery.id);
  expect(resent.text).toContain('It is sent again, by this new delivery.');
});

test('the whole service is examined when support asks', async () => {
  expect((await sofia.get('/support/health?examined=yes')).text).toContain('Everything is well.');
});

test('nobody of a clinic sees the support desk', async () => {
  const ana = await dashboard.person('ana');
  for (const path of ['/support', '/support/stuck', '/support/health'])
    expect((await ana.get(path)).status).toBe(403);
});
