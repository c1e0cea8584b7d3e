import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AppointmentEntity } from '../../db/entities/appointment.entity.ts';
import { AuditEventEntity } from '../../db/entities/audit-event.entity.ts';
import { localDayOf } from '../../domain/clinic/local-day.ts';
import { aClinic, book, change, inHours } from '../support/clinic.ts';
import { startTestDashboard, type TestDashboard } from '../support/pages/dashboard-server.ts';
import { formOf, type VisitedPage, type Visitor } from '../support/pages/visitor.ts';

let dashboard: TestDashboard;
let rita: Visitor;

beforeAll(async () => {
  dashboard = await startTestDashboard();
  rita = await dashboard.person('rita');
});
afterAll(() => dashboard.stop());

/** Asks the box of whatever page. */
async function find(asked: string, visitor = rita): Promise<VisitedPage> {
  await visitor.get('/calls');
  return visitor.submit('/patients', { asked });
}

let hours = 24;
function visit(patientName: string, changes: Parameters<typeof book>[2] = {}, clinic = dashboard.clinic) {
  hours += 2;
  return book(dashboard.database, clinic, { patientName, startsAt: inHours(hours), ...changes });
}

const hashOf = (e164: string) =>
  dashboard.dependencies.phoneHash({ tenantId: dashboard.clinic.tenantId, e164 });

test('a name is found by words and how they begin, accents, capitals and their order aside, in the own clinic only', async () => {
  const { id } = await visit('João Ávila-Marques', { patientPhoneHash: hashOf('+351910000001') });
  const elsewhere = await visit('João Ávila', {}, await aClinic(dashboard.database));
  for (const asked of ['avila joao', 'JOÃO MARQ', 'Jo', 'ávila']) {
    const { text } = await find(asked);
    expect([asked, text.includes(`/appointments/${id}`)]).toEqual([asked, true]);
    expect(text).not.toContain(elsewhere.id);
  }
  for (const asked of ['oao', 'joao pires', '% _', '\\', "'", ':* | !', '“”'])
    expect((await find(asked)).text).toContain('Nobody is found');
});

test('a phone is found as it is dialled in the country, and stands neither in addresses nor in logs nor in the audit', async () => {
  const { id } = await visit('Inês Pinto', { patientPhoneHash: hashOf('+351912345678') });
  for (const asked of ['912 345 678', '+351 912345678', '00351912345678']) {
    const { text, url } = await find(asked);
    expect(text).toContain(`/appointments/${id}`);
    expect(decodeURIComponent(url.href)).not.toMatch(/912.?345.?678/);
  }
  await find('Inês Pinto');
  expect(dashboard.log.join('')).not.toMatch(/912.?345.?678|Pinto|asked/);
  const { tenantId } = dashboard.clinic;
  const entries = await dashboard.database.em().find(AuditEventEntity, { action: 'patient.looked_up' });
  const last = entries.slice(-2);
  expect(last).toMatchObject([
    { tenantId, subjectId: null, details: { fields: ['patientPhone'], found: 1 } },
    { tenantId, subjectId: null, details: { fields: ['patientName', 'patientExternalId', 'externalId'] } },
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/912.?345.?678|Pinto/);
});

test('numbers of the other system find the patient in any case, that of an appointment leads to it', async () => {
  const numbers = { patientExternalId: 'Pac-Ü 77\\x', externalId: "Vis'it-9" };
  const { id } = await visit('Sara Lima', numbers);
  for (const asked of ['PAC-ü 77\\X', "vis'IT-9"]) {
    const { text } = await find(asked);
    expect([asked, text.includes(`/appointments/${id}`)]).toEqual([asked, true]);
  }
  expect((await find(id.toUpperCase())).url.pathname).toBe(`/appointments/${id}`);
});

test('a patient is shown with what is to come and what was, and comes again with the phone known before', async () => {
  const phone = { patientPhoneHash: hashOf('+351913333333'), patientExternalId: 'P-5' };
  const past = await visit('Nuno Reis', { ...phone, startsAt: inHours(-20), mayBackdate: true });
  const moved = await visit('Nuno Reis', phone);
  const { database, clinic } = dashboard;
  await change(database, clinic, moved.id, { startsAt: inHours(24 * 9) });
  const page = await find('nuno');
  const linked = [...page.text.matchAll(/\/appointments\/([0-9a-f-]{36})/g)].map(([, id]) => id);
  expect(linked).toHaveLength(2);
  expect(linked.at(-1)).toBe(past.id);
  expect(linked).not.toContain(moved.id);

  const again = /\/appointments\/new\?again=[0-9a-f-]{36}/.exec(page.text)?.[0] ?? '';
  const at = inHours(24 * 8);
  const day = localDayOf(at, 'Europe/Lisbon').date;
  const { text } = await rita.get(`${again}&day=${day}`);
  expect(text).toContain('value="Nuno Reis"');
  const time = `${at.toISOString()}/${clinic.professionalIds[0]}`;
  const booked = await rita.post('/appointments/new', {
    ...formOf(text, '/appointments/new'),
    time,
    step: 'book',
  });
  const id = booked.url.pathname.split('/').at(-1);
  expect(await database.em().findOneOrFail(AppointmentEntity, { id })).toMatchObject({
    ...phone,
    patientName: 'Nuno Reis',
  });
});

test('the address of an answer opens in its own session alone, and one that was changed asks anew', async () => {
  await visit('Berta Cruz');
  const { url, text } = await find('berta');
  expect(text).toContain('Berta Cruz');
  expect((await rita.get(url.href)).text).toContain('Berta Cruz');
  const other = await dashboard.person('rita');
  for (const address of [url.href, `${url.href}x`, '/patients?asked=berta', '/patients']) {
    const page = await other.get(address);
    expect([page.status, page.text.includes('Berta')]).toEqual([200, false]);
    expect(page.text).toContain('Write the phone as it is dialled');
  }
});
