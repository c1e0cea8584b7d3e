import { expect, test } from '@jest/globals';
import { createMailer } from '../../adapters/mail/mailer.ts';
import { PatientEmailEntity } from '../../db/entities/patient-email.entity.ts';
import { claimDueMails } from '../../db/self-service/due-patient-mails.ts';
import { aClinic, inHours } from '../support/clinic.ts';
import { suiteDatabase } from '../support/database.ts';
import { forSuite } from '../support/for-suite.ts';
import { startMailServer } from '../webhooks/endpoints/mail-server.ts';
import {
  bookWithEmail,
  createPatientCalendar,
  createPostOffice,
  manyWithEmail,
  SENDER,
} from './patient-mailing.ts';

const database = await suiteDatabase();
const clinic = await aClinic(database);
const server = await forSuite(startMailServer());
const mailer = createMailer({ smtpUrl: server.url, from: `Clinics <${SENDER}>` });
if (!mailer) throw new Error('there is no mailer');
const post = createPostOffice(database);

test('a mail has text, HTML and the calendar file, from the clinic’s name and the service’s address', async () => {
  await bookWithEmail(database, clinic, { startsAt: inHours(30), email: 'maria@mail.example' });
  expect(await post.mail(mailer)).toEqual(['sent']);
  const [mail] = server.mails.slice(-1);
  expect(mail?.recipients).toEqual(['maria@mail.example']);
  expect(mail?.header('From')).toMatch(new RegExp(`<${SENDER}>$`));
  expect(mail?.header('Auto-Submitted')).toBe('auto-generated');
  const types = [...(mail?.source ?? '').matchAll(/^Content-Type: ([^;\r\n]+)/gim)].map(([, type]) => type);
  expect(types).toEqual([
    'multipart/mixed',
    'multipart/alternative',
    'text/plain',
    'text/html',
    'text/calendar',
    'application/ics',
  ]);
  expect(mail?.source).toMatch(/Content-Type: text\/calendar; charset=utf-8; method=REQUEST/i);
  const [, attached = ''] = /name=visit\.ics[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/.exec(mail?.source ?? '') ?? [];
  const calendar = createPatientCalendar();
  calendar.take(Buffer.from(attached, 'base64').toString('utf8'));
  expect(calendar.shown()).toMatchObject([{ startsAt: inHours(30), zone: 'Europe/Lisbon' }]);
});

test.each([
  ['recipient', 550, 'refused', { refusedAt: expect.any(Date), dueAt: null }],
  ['recipient', 450, 'postponed', { refusedAt: null, dueAt: expect.any(Date) }],
  // The patient's address is good: MAIL_FROM is wrong.
  ['sender', 553, 'postponed', { refusedAt: null, dueAt: expect.any(Date) }],
] as const)('after the %s is answered with %i, the mail is %s', async (refused, code, outcome, row) => {
  server.refuseWith(code, refused);
  const { id } = await bookWithEmail(database, clinic, {
    startsAt: inHours(code),
    email: `${code}@mail.example`,
  });
  expect(await post.mail(mailer)).toEqual([outcome]);
  server.refuseWith(null);
  expect(await post.mail(mailer)).toEqual([]);
  expect(await database.em().findOne(PatientEmailEntity, { appointmentId: id })).toMatchObject(row);
});

test('while one clinic has a thousand mails, the mail of another clinic is among the first', async () => {
  const other = await aClinic(database);
  await manyWithEmail(database, clinic, 1000);
  await bookWithEmail(database, other, { startsAt: inHours(31), email: 'first@mail.example' });
  const claimed = await claimDueMails(database.em(), 4);
  expect(claimed.map(({ tenantId }) => tenantId)).toContain(other.tenantId);
  expect(claimed).toHaveLength(4);
});
