import { expect, test } from '@jest/globals';
import { AUDIT_WORDS } from '../../../dashboard/audit/words.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GUIDES } from '../../../dashboard/layout/frame.ts';
import { GUIDE_GROUPS } from '../../../docs-site/guides/guide-list.ts';
import { AuditEventEntity } from '../../../db/entities/audit-event.entity.ts';
import { localDayOf } from '../../../domain/clinic/hours/local-day.ts';
import { aClinic, book, change, inHours } from '../../support/clinic.ts';
import { suiteDashboard } from '../../support/pages/dashboard-server.ts';
import { formOf, type VisitedPage } from '../../support/pages/visitor.ts';
import { storeAppointments, storedAppointments } from '../../support/stored/stored-appointments.ts';

const dashboard = await suiteDashboard();
const { database, clinic } = dashboard;
const rita = await dashboard.person('rita');

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
    expect((await find(asked)).text).toContain('No patients match');
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
    { tenantId, subjectId: null, details: { fields: ['patientName', 'patientExternalId'] } },
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
  expect(await storedAppointments(database, { id })).toMatchObject([{ ...phone, patientName: 'Nuno Reis' }]);
});

test('the address of an answer opens in its own session alone, and a changed one asks again', async () => {
  await visit('Berta Cruz');
  const { url, text } = await find('berta');
  expect(text).toContain('Berta Cruz');
  expect((await rita.get(url.href)).text).toContain('Berta Cruz');
  const other = await dashboard.person('rita');
  for (const address of [url.href, `${url.href}x`, '/patients?asked=berta', '/patients']) {
    const page = await other.get(address);
    expect([page.status, page.text.includes('Berta')]).toEqual([200, false]);
    expect(page.text).toContain('Search by full phone number');
  }
});

/** The cells of each line, of a file whose cells hold no separators. */
function linesOf(text: string): string[] {
  return text.trimEnd().split('\r\n');
}

test('each list is downloaded as it is narrowed, whole, with its time zone, and without a formula', async () => {
  const ana = await dashboard.person('ana');
  const day = localDayOf(inHours(24 * 20), 'Europe/Lisbon');
  const names = ['=HYPERLINK("http://evil.example")', '+351', '-1', '@SUM(A1)', '\tx', 'Sá, Inês "Nini"'];
  for (const [nr, patientName] of names.entries()) {
    const startsAt = new Date(day.from.getTime() + (9 + nr) * 3_600_000);
    await book(database, clinic, { patientName, startsAt });
  }
  const page = await ana.get(`/appointments?day=${day.date}`);
  expect(page.text).toContain(`href="/appointments/csv?day=${day.date}"`);
  expect(page.text).toContain('Times in Europe/Lisbon');
  const file = await ana.get(`/appointments/csv?day=${day.date}`);
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(file.headers.get('content-disposition')).toContain(`appointments-${day.date}`);
  const [heads = '', ...rows] = linesOf(file.text);
  expect(heads.split(',')[0]).toBe('Starts (Europe/Lisbon)');
  expect(rows.map((row) => row.split(`:00,`)[2]?.split(',Check-up')[0])).toEqual([
    `"'=HYPERLINK(""http://evil.example"")"`,
    "'+351",
    "'-1",
    "'@SUM(A1)",
    `"'\tx"`,
    '"Sá, Inês ""Nini"""',
  ]);
  const inPortuguese = await ana.get(`/appointments/csv?day=${day.date}`, { 'accept-language': 'pt' });
  expect(linesOf(inPortuguese.text)[0]?.split(';')[0]).toBe('Início (Europe/Lisbon)');
  for (const list of ['/calls', '/integrations/deliveries', '/integrations/requests', '/settings/audit'])
    expect([list, (await ana.get(`${list}/csv`)).headers.get('content-type')]).toEqual([
      list,
      'text/csv; charset=utf-8',
    ]);
  const { text } = await ana.get('/settings/audit');
  expect(text).toContain(AUDIT_WORDS.en.actions['list.exported']);
  expect(text).toContain(`Appointments ${day.date}`);
});

test('a file goes on where a page of the list ends', async () => {
  const day = localDayOf(inHours(24 * 400), 'Europe/Lisbon');
  const minute = (nr: number) => new Date(day.from.getTime() + nr * 60_000);
  const visits = Array.from({ length: 1100 }, (_, nr) => ({
    patientName: `Patient ${nr}`,
    startsAt: minute(Math.floor(nr / 3)),
    endsAt: minute(Math.floor(nr / 3) + 1),
    status: 'cancelled' as const,
    blocks: false,
  }));
  await storeAppointments(database, clinic, visits);
  const [, ...rows] = linesOf((await rita.get(`/appointments/csv?day=${day.date}`)).text);
  expect(new Set(rows.map((row) => /Patient \d+/.exec(row)?.[0])).size).toBe(1100);
});

test('every guide that a page leads to is there', () => {
  const slugs = GUIDE_GROUPS.flatMap(({ guides }) => guides.map(({ slug }) => slug));
  for (const guide of Object.values(GUIDES).filter((each) => each !== null)) {
    const [slug = '', heading] = guide.split('#');
    expect(slugs).toContain(slug);
    const headings = readFileSync(join('docs', `${slug}.md`), 'utf8').match(/^#+ .*$/gm) ?? [];
    const anchors = headings.map((line) => line.replace(/^#+ /, '').toLowerCase().replaceAll(' ', '-'));
    if (heading !== undefined) expect(anchors).toContain(heading);
  }
});
