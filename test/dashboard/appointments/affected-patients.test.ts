import { expect, test } from '@jest/globals';
import { MailFailure } from '../../../adapters/mail/mailer.ts';
import { saveBusyBlock } from '../../../commands/clinic/save-busy-block.ts';
import { AuditEventEntity } from '../../../db/entities/audit-event.entity.ts';
import { ONE_APPOINTMENT_WORDS } from '../../../dashboard/appointments/appointment-words.ts';
import { asOperator, book, change, inHours } from '../../support/clinic.ts';
import { suiteDashboard } from '../../support/pages/dashboard-server.ts';
import { bookWithEmail, createPostOffice } from '../../self-service/patient-mailing.ts';

const dashboard = await suiteDashboard();
const { database, clinic } = dashboard;
const { tenantId } = clinic;
const [first = '', second = ''] = clinic.professionalIds;
const post = createPostOffice(database);
const rita = await dashboard.person('rita');

const BUTTON = /Tell (?:one patient|\d+ patients) [^<]*/;

test('reception tells the patients who left an address, once, and calls the others', async () => {
  const at = (hour: number) => inHours(300 + hour);
  const of = (hour: number, changes: object = {}) => ({ startsAt: at(hour), ...changes });
  const visits = [];
  for (const [hour, email] of ['ana@mail.example', 'rui@mail.example', 'eva@mail.example'].entries())
    visits.push(await bookWithEmail(database, clinic, { ...of(hour), email, language: 'pt' }));
  const [ana, rui, eva] = visits.map(({ id }) => id);
  await book(database, clinic, of(3, { patientName: 'Zita Alves' }));
  const otto = await bookWithEmail(database, clinic, {
    ...of(4, { patientName: 'Otto Rego' }),
    email: 'otto@mail.example',
  });
  post.failWith(new MailFailure('refused', true), 'otto@mail.example');
  // Beside the block: with another professional, and after it.
  await bookWithEmail(database, clinic, { ...of(1, { professionalId: second }), email: 'b@mail.example' });
  await bookWithEmail(database, clinic, { ...of(9), email: 'c@mail.example' });
  await post.mail();
  post.sent.length = 0;

  const wanted = {
    tenantId,
    professionalId: first,
    startsAt: at(0),
    endsAt: at(8),
    title: 'Ill',
    externalId: 'ill',
  };
  const { block } = await database.write((em) => saveBusyBlock(em, wanted, asOperator()));
  const page = await rita.get(`/blocks/${block.id}`);
  expect(BUTTON.exec(page.text)?.[0]).toBe('Tell 3 patients by email');
  const toCall = page.text.slice(page.text.lastIndexOf('Patients to call'));
  expect(toCall).toMatch(/Zita Alves[\s\S]*Otto Rego/);
  expect(toCall).not.toContain('Maria Santos');
  expect(page.text).not.toContain('mail.example');

  const asked = await rita.submit(`/blocks/${block.id}/ask`);
  expect(asked.text).toContain('The patients are being told by email.');
  expect(asked.text.match(/Being told/g)).toHaveLength(3);
  expect(asked.text).not.toMatch(BUTTON);
  // Before the mail is sent, one chose another time, and one cancelled.
  await change(database, clinic, rui ?? '', { startsAt: at(20) });
  await change(database, clinic, eva ?? '', { status: 'cancelled' });
  await post.mail();
  expect(
    new Set(post.sent.map(({ to, subject, calendar }) => `${to}: ${subject}: ${calendar?.method}`)),
  ).toEqual(
    new Set([
      'ana@mail.example: Escolha outra hora para a sua consulta · Clínica da Luz: undefined',
      'eva@mail.example: A sua consulta foi cancelada · Clínica da Luz: CANCEL',
      'rui@mail.example: A sua consulta foi remarcada · Clínica da Luz: REQUEST',
    ]),
  );
  const after = await rita.get(`/blocks/${block.id}`);
  expect(after.text).toMatch(new RegExp(`/appointments/${ana}[\\s\\S]*Told today`));
  expect(after.text).not.toMatch(BUTTON);
  const { text } = await rita.get(`/appointments/${otto.id}`);
  expect(text).toContain(ONE_APPOINTMENT_WORDS.en.reach.refused);
  const audited = await database.em().find(AuditEventEntity, { action: 'busy_block.patients_asked' });
  expect(audited).toMatchObject([{ subjectId: block.id, details: { asked: 3 } }]);
});
