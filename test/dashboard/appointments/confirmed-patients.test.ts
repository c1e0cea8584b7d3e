import { expect, test } from '@jest/globals';
import { DAY_WORDS } from '../../../dashboard/appointments/day/words.ts';
import { ONE_APPOINTMENT_WORDS } from '../../../dashboard/appointments/appointment-words.ts';
import { confirmByPatient } from '../../../commands/self-service/confirm-by-patient.ts';
import { localDayOf } from '../../../domain/clinic/hours/local-day.ts';
import { asOperator, book, inHours } from '../../support/clinic.ts';
import { suiteDashboard } from '../../support/pages/dashboard-server.ts';

const dashboard = await suiteDashboard();
const { database, clinic } = dashboard;
const rita = await dashboard.person('rita');
const { yes, no } = DAY_WORDS.en.confirmation;

const startsAt = inHours(24 * 40);
const { date } = localDayOf(startsAt, 'Europe/Lisbon');
const [comes, silent] = [
  await book(database, clinic, { startsAt, patientName: 'Comes Surely' }),
  await book(database, clinic, {
    startsAt: new Date(startsAt.getTime() + 1_800_000),
    patientName: 'Has Not Said',
  }),
];
const wanted = { tenantId: clinic.tenantId, appointmentId: comes.id };
await database.write((em) => confirmByPatient(em, wanted, asOperator()));

test.each(['day', 'list'])('the %s shows whose patient has confirmed', async (view) => {
  const { text } = await rita.get(`/appointments?day=${date}&view=${view}`);
  const marked = text.split(`/appointments/${comes.id}"`)[1]?.split(`/appointments/${silent.id}"`)[0];
  expect(marked).toContain(`<small>${yes}</small>`);
  expect(text.match(new RegExp(`<small>${yes}</small>`, 'g'))).toHaveLength(1);
});

test.each([
  [yes, [true, false]],
  [no, [false, true]],
] as const)('“%s” leads to the list of those patients alone, also as a file', async (words, shown) => {
  const { text } = await rita.get(`/appointments?day=${date}`);
  const href = new RegExp(`href="([^"]+)"\\s*>${words}<`).exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const list = await rita.get(href);
  expect(['Comes Surely', 'Has Not Said'].map((name) => list.text.includes(name))).toEqual(shown);
  const file = await rita.get(href.replace('/appointments?', '/appointments/csv?'));
  expect(['Comes Surely', 'Has Not Said'].map((name) => file.text.includes(name))).toEqual(shown);
  // Chosen again, the filter goes.
  const again = new RegExp(`href="([^"]+)"\\s+aria-current="true"\\s*>${words}`).exec(list.text)?.[1];
  const all = await rita.get(again?.replaceAll('&amp;', '&') ?? '');
  expect(all.text).toContain('Comes Surely');
  expect(all.text).toContain('Has Not Said');
});

test('the appointment says when its patient confirmed, and its history by whom', async () => {
  const { text } = await rita.get(`/appointments/${comes.id}`);
  expect(text).toContain(ONE_APPOINTMENT_WORDS.en.confirmedByPatient);
  expect(text).toContain('Edited: confirmation by the patient');
});

test('staff set the reminders in the settings, and a wrong number is refused', async () => {
  const ana = await dashboard.person('ana');
  const reminders = async () => {
    const [row] = await database
      .em()
      .execute<{ reminders: unknown }[]>(
        `SELECT config -> 'reminders' AS reminders FROM tenant WHERE id = ?`,
        [clinic.tenantId],
      );
    return row?.reminders;
  };
  await ana.get('/settings');
  const refused = await ana.submit('/settings#clinic', { reminders: '48, 400' });
  expect(refused.text).toContain('Enter up to three whole numbers of hours');
  expect(await reminders()).toBeNull();
  await ana.get('/settings');
  await ana.submit('/settings#clinic', { reminders: '48; 3' });
  expect(await reminders()).toEqual({ hoursBefore: [48, 3] });
  expect((await ana.get('/settings')).text).toContain('value="48, 3"');
  await ana.submit('/settings#clinic', { reminders: '' });
  expect(await reminders()).toBeNull();
});
