import { expect, test } from '@jest/globals';
import { KEPT_FORM_WORDS } from '../../../dashboard/kept-forms/words.ts';
import { ApiKeyEntity } from '../../../db/entities/api-key.entity.ts';
import { BusyBlockEntity } from '../../../db/entities/busy-block.entity.ts';
import { storedAnswer } from '../../../domain/encryption/sealed-places.ts';
import { localDayOf } from '../../../domain/clinic/hours/local-day.ts';
import { SESSION_IDLE_MS } from '../../../domain/people/session.ts';
import { book, change, inHours } from '../../support/clinic.ts';
import { suiteDashboard } from '../../support/pages/dashboard-server.ts';
import { formOf } from '../../support/pages/visitor.ts';
import { storedAppointments } from '../../support/stored/stored-appointments.ts';

/** A form is answered once: its twins get the first answer, and whatever was not done may be sent again. */

const KEY = /svc_test_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}/;
const PROFESSIONALS = '/settings/professionals/new';
const KEYS = '/integrations/keys/new';

let ahead = 0;
const dashboard = await suiteDashboard({ now: () => new Date(Date.now() + ahead) });
const { tenantId } = dashboard.clinic;
const ana = await dashboard.person('ana');

/** The answers kept for forms, opened. */
async function keptAnswers(): Promise<string[]> {
  const rows = await dashboard.database
    .em()
    .execute<{ key_hash: Buffer; sealed: string }[]>('SELECT key_hash, sealed FROM idempotency_record');
  const cipher = await dashboard.database.ciphers.of(tenantId);
  return rows.map((row) => cipher.decrypt(row.sealed, storedAnswer(tenantId, row.key_hash)));
}

async function named(name: string): Promise<number> {
  const sql = 'SELECT 1 FROM professional WHERE tenant_id = ? AND name = ?';
  return (await dashboard.database.em().execute<unknown[]>(sql, [tenantId, name])).length;
}

/** A free hour of its own, and the form for it. */
let days = 30;
async function aBooking(patientName: string) {
  days += 1;
  const startsAt = inHours(24 * days);
  const { text } = await ana.get(`/appointments/new?day=${localDayOf(startsAt, 'Europe/Lisbon').date}`);
  const time = `${startsAt.toISOString()}/${dashboard.clinic.professionalIds[0]}`;
  const typed = { patientName, patientPhone: '+351912345678', patientNotes: '', time };
  const form = formOf(text, '/appointments/new', typed);
  return { startsAt, form, send: (visitor = ana) => visitor.post('/appointments/new', form) };
}

const bookedFor = (patientName: string) =>
  storedAppointments(dashboard.database, { tenantId: dashboard.clinic.tenantId }, patientName);

test('what was refused or wrong is not kept: the same form is carried out once it can be', async () => {
  const { startsAt, send } = await aBooking('Refused First');
  const { id } = await book(dashboard.database, dashboard.clinic, { startsAt });
  const before = await keptAnswers();
  expect([(await send()).status, (await send()).status]).toEqual([409, 409]);
  expect(await keptAnswers()).toEqual(before);
  await change(dashboard.database, dashboard.clinic, id, { status: 'cancelled' });
  expect((await send()).status).toBe(200);
  const { url } = await send();
  const made = await bookedFor('Refused First');
  expect(made.map((row) => `/appointments/${row.id}`)).toEqual([url.pathname]);
});

test('a form that was corrected, or changed, is carried out though it has the same id', async () => {
  const { text } = await ana.get(PROFESSIONALS);
  const send = (name: string) =>
    ana.post(PROFESSIONALS, formOf(text, PROFESSIONALS, { name, specialty: 'x' }));
  expect((await send('')).status).toBe(422);
  for (const name of ['Corrected', 'Changed', 'Corrected']) expect((await send(name)).status).toBe(200);
  expect([await named('Corrected'), await named('Changed')]).toEqual([1, 1]);
});

test('a twin is led where the first one was, whatever has become of it since', async () => {
  const { form, send } = await aBooking('Led Again');
  const first = await send();
  const [made] = await bookedFor('Led Again');
  await change(dashboard.database, dashboard.clinic, String(made?.id), { status: 'cancelled' });
  const again = await ana.post('/appointments/new', form);
  expect([again.status, again.url.href]).toEqual([200, first.url.href]);
  expect(await bookedFor('Led Again')).toHaveLength(1);
});

test('the same form sent by another person is another form', async () => {
  const miguel = await dashboard.person('miguel');
  const [mine, theirs] = [await ana.get(PROFESSIONALS), await miguel.get(PROFESSIONALS)];
  const { id = '' } = formOf(mine.text, PROFESSIONALS);
  for (const [visitor, { text }] of [
    [ana, mine],
    [miguel, theirs],
  ] as const)
    await visitor.post(PROFESSIONALS, formOf(text, PROFESSIONALS, { id, name: 'Of Two', specialty: 'x' }));
  expect(await named('Of Two')).toBe(2);
});

test('an answer is kept sealed, for a day, and never with a secret that is shown once', async () => {
  const { text } = await ana.get(KEYS);
  const fields = formOf(text, KEYS, { name: 'Never Kept' });
  const [key = ''] = KEY.exec((await ana.post(KEYS, fields)).text) ?? [];
  const { id } = await dashboard.database.em().findOneOrFail(ApiKeyEntity, { name: 'Never Kept' });
  const kept = (await keptAnswers()).join('\n');
  expect(kept).toContain(`{"secretOf":"/integrations/keys/${id}"}`);
  expect(key).toMatch(KEY);
  expect(kept).not.toContain(key);
  expect(kept).not.toMatch(/Never Kept|912345678/);
  const [{ hours } = { hours: 0 }] = await dashboard.database
    .em()
    .execute<{ hours: number }[]>(
      'SELECT round(extract(epoch FROM max(expires_at) - now()) / 3600)::int AS hours FROM idempotency_record',
    );
  expect(hours).toBe(24);
});

test('what only asks is answered each time', async () => {
  const { text } = await ana.get('/patients');
  const before = await keptAnswers();
  const fields = formOf(text, '/patients', { asked: 'Zacarias' });
  const pages = [await ana.post('/patients', fields), await ana.post('/patients', fields)];
  expect(pages.map(({ status }) => status)).toEqual([200, 200]);
  expect(await keptAnswers()).toEqual(before);
});

test('many that are refused at once, each reading what it shows after it began to write, wait for no connection', async () => {
  const forms = await Promise.all(Array.from({ length: 20 }, () => aBooking('In A Crowd')));
  for (const { startsAt } of forms) await book(dashboard.database, dashboard.clinic, { startsAt });
  const pages = await Promise.all(forms.map(({ send }) => send()));
  expect(pages.map(({ status }) => status)).toEqual(Array(20).fill(409));
});

test('a form that was kept past its session is carried out once, however often it is opened, and twins of it are known', async () => {
  const rita = await dashboard.person('rita');
  const day = '2031-02-03';
  const { text } = await rita.get('/blocks/new');
  const typed = formOf(text, '/blocks/new', {
    part: 'day',
    day,
    whose: 'clinic',
    title: 'Line\r\nof\r\ntext',
  });
  ahead = SESSION_IDLE_MS + 60_000;
  const { text: ended } = await rita.post('/blocks/new', typed);
  const address = decodeURIComponent(/\/sign-in\?to=([^"]+)/.exec(ended)?.[1] ?? '');
  const later = await dashboard.person('rita');
  const sent: string[] = [];
  for (let time = 0; time < 2; time += 1) {
    const kept = await later.get(address);
    expect(kept.text).toContain(KEPT_FORM_WORDS.en.back.title);
    sent.push((await later.post('/blocks/new', formOf(kept.text, '/blocks/new'))).url.href);
  }
  const { id = '', ...rest } = typed;
  const token = formOf((await later.get('/blocks/new')).text, '/blocks/new')['form_token'] ?? '';
  sent.push((await later.post('/blocks/new', { id, ...rest, form_token: token })).url.href);
  expect(new Set(sent).size).toBe(1);
  const startsAt = new Date(`${day}T00:00Z`);
  expect(await dashboard.database.em().count(BusyBlockEntity, { startsAt })).toBe(1);
  ahead = 0;
});

test('a form without an id, as a program would send it, is carried out each time', async () => {
  const { text } = await ana.get(PROFESSIONALS);
  const fields = formOf(text, PROFESSIONALS, { id: '', name: 'Without Id', specialty: 'x' });
  for (let time = 0; time < 2; time += 1) await ana.post(PROFESSIONALS, fields);
  expect(await named('Without Id')).toBe(2);
});
