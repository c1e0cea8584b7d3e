import { expect, test } from '@jest/globals';
import { ONE_APPOINTMENT_WORDS } from '../../../dashboard/appointments/appointment-words.ts';
import { TIMELINE_WORDS } from '../../../dashboard/appointments/one-appointment/timeline-words.ts';
import { APPOINTMENT_WORDS } from '../../../dashboard/appointments/words.ts';
import { book, change } from '../../support/clinic.ts';
import { suiteDashboard } from '../../support/pages/dashboard-server.ts';

/** A busy morning, at 10:20 in Lisbon. */
const NOW = new Date('2027-11-23T10:20:00Z');
const DAY = '2027-11-23';
const at = (time: string) => new Date(`${DAY}T${time}:00Z`);

const dashboard = await suiteDashboard({ now: () => NOW });
const { database, clinic } = dashboard;
const rita = await dashboard.person('rita');
const { statuses } = APPOINTMENT_WORDS.en;

async function aVisit(time: string, status?: 'attended' | 'no_show' | 'cancelled'): Promise<string> {
  const professionalId = clinic.professionalIds[time.endsWith('10') ? 1 : 0] ?? '';
  const booking = { startsAt: at(time), patientName: `At ${time}`, professionalId, mayBackdate: true };
  const { id } = await book(database, clinic, booking);
  if (status === 'no_show')
    await database
      .em()
      .execute(`UPDATE appointment SET status = 'no_show', blocks = false WHERE id = ?`, [id]);
  else if (status) await change(database, clinic, id, { status });
  return id;
}

/** The page's text about one patient, in the calendar or in the list. */
const lineIn = (text: string, name: string) =>
  text.split(/(?=<li class="visit)|(?=<tr>)/).find((part) => part.includes(name)) ?? '';

test('late, in the room, done, missed, booked and cancelled are told apart in the calendar and in the list', async () => {
  await aVisit('08:00', 'attended');
  await aVisit('08:30', 'no_show');
  await aVisit('09:00', 'cancelled');
  await aVisit('10:00', 'attended');
  await aVisit('10:10');
  await aVisit('11:00');
  const expected = [
    ['At 08:00', 'seen'],
    ['At 08:30', 'no_show'],
    ['At 10:00', 'attended'],
    ['At 10:10', 'late'],
    ['At 11:00', 'confirmed'],
  ] as const;
  const calendar = await rita.get(`/appointments?day=${DAY}`);
  for (const [name, status] of expected) {
    expect(lineIn(calendar.text, name)).toContain(`class="visit ${status} `);
    if (status !== 'confirmed') expect(lineIn(calendar.text, name)).toContain(`<small>${statuses[status]}`);
  }
  const list = await rita.get(`/appointments?view=list&day=${DAY}`);
  const badges = [...expected, ['At 09:00', 'cancelled'] as const].map(([name, status]) => {
    expect(lineIn(list.text, name)).toContain(`>${statuses[status]}</span>`);
    return /class="badge (\w+)"/.exec(lineIn(list.text, name))?.[1];
  });
  expect(new Set(badges).size).toBe(badges.length);
});

test('an undone check-in is an appointment with a history, and not one that was moved', async () => {
  const { done } = ONE_APPOINTMENT_WORDS.en;
  const id = await aVisit('07:00', 'attended');
  await rita.get(`/appointments/${id}`);
  const undone = await rita.submit(`/appointments/${id}/take-back`);
  expect(undone.text).toContain(done.confirmed('At 07:00'));
  const words = TIMELINE_WORDS.en;
  expect(undone.text).not.toContain(words.chain);
  expect([...undone.text.matchAll(/<strong>([^<]*)<\/strong>\s+by/g)].map(([, what]) => what)).toEqual([
    words.undone.attended,
    words.changes.attended,
    words.changes.created,
  ]);
  for (const view of ['day', 'list']) {
    const { text } = await rita.get(`/appointments?view=${view}&day=${DAY}`);
    expect(text.split('At 07:00')).toHaveLength(2);
    expect(text).not.toContain(statuses.rescheduled);
  }
});

test('an appointment that was moved, and whose check-in was then undone, was moved once', async () => {
  const id = await aVisit('12:00');
  const { replacement } = await change(database, clinic, id, { startsAt: at('06:00') });
  const moved = replacement?.id ?? '';
  await change(database, clinic, moved, { status: 'attended' });
  await rita.get(`/appointments/${moved}`);
  const page = await rita.submit(`/appointments/${moved}/take-back`);
  expect(page.text).toContain(TIMELINE_WORDS.en.undone.attended);
  const chain = page.text.slice(page.text.indexOf(TIMELINE_WORDS.en.chain));
  expect(chain.slice(0, chain.indexOf('</ol>')).match(/<li>/g)).toHaveLength(2);
});
