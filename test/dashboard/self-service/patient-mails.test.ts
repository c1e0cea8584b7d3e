import { beforeEach, describe, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { MailFailure } from '../../../adapters/mail/mailer.ts';
import { SELF_SERVICE_WORDS } from '../../../dashboard/self-service/words.ts';
import { PatientEmailEntity } from '../../../db/entities/patient-email.entity.ts';
import { TenantEntity } from '../../../db/entities/tenant.entity.ts';
import { change, inHours } from '../../support/clinic.ts';
import { suiteDashboard } from '../../support/pages/dashboard-server.ts';
import type { VisitedPage } from '../../support/pages/visitor.ts';
import { createPatientCalendar, createPostOffice } from '../../self-service/patient-mailing.ts';
import { SLUG } from './self-service-walk.ts';

const dashboard = await suiteDashboard();
const { database, clinic } = dashboard;
const open = {
  publicSlug: SLUG,
  publicBookingEnabled: true,
  email: 'geral@luz.example',
  phone: '+351210000000',
  config: { timezone: 'Atlantic/Azores' },
};
await database.em().nativeUpdate(TenantEntity, { id: clinic.tenantId }, open);
const post = createPostOffice(database, dashboard.url);

beforeEach(async () => {
  await post.mail();
  post.sent.length = 0;
});

const rowOf = (appointmentId: string) => database.em().findOne(PatientEmailEntity, { appointmentId });

let booked = 0;
async function bookOnline(email: string, language = 'en') {
  booked += 1;
  const patient = dashboard.stranger();
  const headers = { 'accept-language': language };
  const day = new Date(Date.now() + (2 + booked) * 86_400_000).toISOString().slice(0, 10);
  const times = await patient.get(`/book/${SLUG}?service=${clinic.serviceTypeId}&day=${day}`);
  const time = /name="time"\s+value="([^"]+)"/.exec(times.text)?.[1] ?? '';
  const fields = { patientName: 'Maria Santos', patientPhone: `+3519${String(10_000_000 + booked)}` };
  const form = { id: uuidv7(), service: clinic.serviceTypeId, professional: '', time, ...fields, email };
  const page = await patient.post(`/book/${SLUG}/details`, form, headers);
  return { patient, page, id: idIn(page) };
}

function idIn({ url }: VisitedPage): string {
  const token = url.pathname.split('/')[3] ?? '';
  return dashboard.dependencies.links.appointmentIdIn(token) ?? '';
}

describe('a patient who leaves an address', () => {
  test('gets a confirmation with a calendar file and the link, in the language of the page', async () => {
    const { page, id } = await bookOnline(' Maria@mail.example ', 'pt-PT');
    expect(page.text).toContain(SELF_SERVICE_WORDS.pt.told.told);
    expect(await post.mail()).toEqual(['sent']);
    const [mail] = post.sent;
    expect(mail).toMatchObject({
      to: 'Maria@mail.example',
      subject: 'A sua consulta está marcada · Clínica da Luz',
      senderName: 'Clínica da Luz',
      replyTo: 'geral@luz.example',
      calendar: { method: 'REQUEST' },
    });
    expect(mail?.text).toContain(page.url.href);
    expect(mail?.html).toContain(`href="${page.url.href}"`);
    expect(mail?.calendar?.content).toMatch(/METHOD:REQUEST[\s\S]*ATTENDEE;[\s\S]*PARTSTAT=ACCEPTED/);
    for (const part of [mail?.text, mail?.html, mail?.calendar?.content])
      expect(part).not.toMatch(/Maria Santos|\+3519/);
    expect(await post.mail()).toEqual([]);
    const stored = await rowOf(id);
    expect(stored?.email).toMatch(/^v3\./);
    expect(stored).toMatchObject({ language: 'pt', dueAt: null, toldId: id, toldStatus: 'confirmed' });
  });

  test('gets a mail about each move and the cancellation, by clinic and patient, and the calendar keeps one entry', async () => {
    const calendar = createPatientCalendar();
    const { patient, page, id } = await bookOnline('rui@mail.example');
    const read = async () => {
      await post.mail();
      const mails = post.sent.splice(0);
      // A mail program and the page may both bring the same file.
      for (const { calendar: file } of [...mails, ...mails]) if (file) calendar.take(file.content);
      const download = await patient.get(`${page.url.pathname}/visit.ics`);
      if (download.status === 200) calendar.take(download.text);
      return mails.map(({ subject, calendar: file }) => [subject, file?.method]);
    };
    const changed = ['Your appointment at Clínica da Luz has changed', 'REQUEST'];
    expect(await read()).toEqual([['Your appointment at Clínica da Luz is booked', 'REQUEST']]);
    const first = await change(database, clinic, id, { startsAt: inHours(1000) });
    expect(await read()).toEqual([changed]);
    const second = await change(database, clinic, first.replacement?.id ?? '', { startsAt: inHours(1010) });
    expect(await read()).toEqual([changed]);
    const [entry, ...others] = calendar.shown();
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ startsAt: second.replacement?.startsAt, zone: 'Atlantic/Azores' });
    await patient.get(`${page.url.pathname}/cancel`);
    await patient.submit(`${page.url.pathname}/cancel`, {});
    expect(await read()).toEqual([['Your appointment at Clínica da Luz is cancelled', 'CANCEL']]);
    expect(calendar.shown()).toEqual([]);
  });

  test('gets one mail about several changes in a row', async () => {
    const { id } = await bookOnline('ana@mail.example');
    await post.mail();
    post.sent.length = 0;
    const { replacement } = await change(database, clinic, id, { startsAt: inHours(1100) });
    await change(database, clinic, replacement?.id ?? '', { startsAt: inHours(1200), patientNotes: 'x' });
    expect(await post.mail()).toEqual(['sent']);
    expect(post.sent.map(({ subject }) => subject)).toEqual([
      'Your appointment at Clínica da Luz has changed',
    ]);
  });

  test('gets no further mail when reception gives the appointment to another patient', async () => {
    const [kept, given] = [await bookOnline('one@mail.example'), await bookOnline('two@mail.example')];
    await post.mail();
    post.sent.length = 0;
    const other = { patientName: 'Outra Pessoa', patientPhoneHash: 'b'.repeat(64) };
    await change(database, clinic, kept.id, { patientName: 'Maria dos Santos' });
    await change(database, clinic, given.id, { patientName: other.patientName });
    const { replacement } = await change(database, clinic, given.id, {
      patientPhoneHash: other.patientPhoneHash,
      startsAt: inHours(1300),
    });
    expect(await rowOf(replacement?.id ?? '')).toBeNull();
    await change(database, clinic, kept.id, { status: 'cancelled' });
    await change(database, clinic, replacement?.id ?? '', { status: 'cancelled' });
    expect(await post.mail()).toEqual(['sent']);
    expect(post.sent.map(({ to }) => to)).toEqual(['one@mail.example']);
  });

  test('is shown that the mail server refused the address, and gets no further mail', async () => {
    post.failWith(new MailFailure('refused', true));
    const { patient, page, id } = await bookOnline('gone@mail.example');
    expect(await post.mail()).toEqual(['refused']);
    post.failWith(null);
    expect((await patient.get(page.url.pathname)).text).toContain(SELF_SERVICE_WORDS.en.told.refused);
    await change(database, clinic, id, { status: 'cancelled' });
    expect(await post.mail()).toEqual([]);
  });

  test('gets the mail later when the mail server does not answer', async () => {
    post.failWith(new MailFailure('silent', false));
    const { id } = await bookOnline('slow@mail.example');
    expect(await post.mail()).toEqual(['postponed']);
    post.failWith(null);
    expect(await post.mail()).toEqual([]);
    await database.em().nativeUpdate(PatientEmailEntity, { appointmentId: id }, { dueAt: new Date() });
    expect(await post.mail()).toEqual(['sent']);
  });
});

test('without an address the page says that the clinic cannot tell of changes', async () => {
  const { page } = await bookOnline('');
  expect(page.text).toContain(SELF_SERVICE_WORDS.en.told.none);
  expect(await post.mail()).toEqual([]);
});

test('an address that no mail reaches is named, and nothing is booked', async () => {
  const { page } = await bookOnline('maria@mail');
  expect(page.status).toBe(422);
  expect(page.text).toContain(SELF_SERVICE_WORDS.en.wrong.email);
  expect(page.text).toContain('value="maria@mail"');
});

test('a clinic that has left, and an appointment that has begun, are not written about', async () => {
  const [begun, left] = [await bookOnline('begun@mail.example'), await bookOnline('left@mail.example')];
  const em = database.em();
  await em.execute(
    `UPDATE appointment
    SET starts_at = now() - interval '2 minutes', block_from = now() - interval '2 minutes',
      ends_at = now() - interval '1 minute', block_until = now() - interval '1 minute'
    WHERE id = ?`,
    [begun.id],
  );
  expect((await post.mail()).toSorted()).toEqual(['outdated', 'sent']);
  await change(database, clinic, left.id, { status: 'cancelled' });
  await em.nativeUpdate(TenantEntity, { id: clinic.tenantId }, { status: 'canceled' });
  expect(await post.mail()).toEqual(['outdated']);
  await em.nativeUpdate(TenantEntity, { id: clinic.tenantId }, { status: 'trial' });
});

test('one address gets at most 20 mails a day, in however many appointments and spellings', async () => {
  const { id } = await bookOnline('Many@mail.example');
  const outcomes = await post.mail();
  let current = id;
  for (let moves = 0; moves < 21; moves += 1) {
    const { replacement } = await change(database, clinic, current, { startsAt: inHours(2000 + moves) });
    current = replacement?.id ?? '';
    outcomes.push(...(await post.mail()));
  }
  expect(outcomes.filter((outcome) => outcome === 'sent')).toHaveLength(20);
  expect(outcomes.slice(20)).toEqual(['limited', 'limited']);
  await bookOnline('many@MAIL.example');
  expect(await post.mail()).toEqual(['limited']);
  const stored = await database.em().execute('SELECT subject FROM request_window');
  expect(JSON.stringify(stored)).not.toContain('mail.example');
});
