import { expect, test } from '@jest/globals';
import { DateTime } from 'luxon';
import { aClinic, book, change } from '../../support/clinic.ts';
import { suiteDatabase } from '../../support/database.ts';
import { remindAt, sentReminders, setHours } from './reminded-clinic.ts';

const database = await suiteDatabase();

const HOUR_MS = 3_600_000;
const BOOKINGS = 20;

/** The night in which clocks change, by zone. One zone changes by half an hour, and one never. */
const CHANGES = [
  ['Europe/Lisbon', '2027-03-28'],
  ['Europe/Lisbon', '2027-10-31'],
  ['America/New_York', '2027-03-14'],
  ['America/New_York', '2027-11-07'],
  ['Australia/Lord_Howe', '2027-04-04'],
  ['Australia/Lord_Howe', '2027-10-03'],
  ['Asia/Kathmandu', '2027-03-28'],
  ['Asia/Kathmandu', '2027-10-31'],
] as const;

interface Booked {
  id: string;
  startsAt: Date;
  /** When it was cancelled, checked in or moved; null: never. */
  endedAt: Date | null;
}

/** Hours that are set from a time on. */
const SETTINGS = [
  { after: 0, hours: [48, 3] },
  { after: 60, hours: [24] },
  { after: 80, hours: [72, 24, 3] },
];

test.each(CHANGES)('%s, around %s: each once, none at night, none too late', async (zone, date) => {
  const clinic = await aClinic(database, { config: { timezone: zone } });
  const midnight = DateTime.fromISO(date, { zone }).startOf('day');
  const begin = midnight.minus({ days: 3 }).toJSDate();
  const booked = await bookAround(clinic, midnight);
  const sent: { id: string; hours: number; at: Date }[] = [];
  const oracle: typeof sent = [];
  let hoursBefore: readonly number[] = [];
  for (let step = 0; step <= 150; step += 1) {
    const now = new Date(begin.getTime() + step * HOUR_MS);
    const settings = SETTINGS.find(({ after }) => after === step);
    if (settings) {
      hoursBefore = settings.hours;
      await setHours(database, clinic, settings.hours);
    }
    for (const { id, endedAt } of booked)
      if (endedAt?.getTime() === now.getTime())
        await change(database, clinic, id, { status: 'cancelled', reason: 'clinic_cancelled' });
    // For a day, no worker runs.
    if (step > 90 && step < 114) continue;
    oracle.push(...expectedAt(now, { zone, hoursBefore, booked, before: oracle }));
    expect(await remindAt(database, now)).toEqual([]);
    const all = await sentReminders(database, clinic.tenantId);
    for (const { appointment, hoursBefore: hours } of all.slice(sent.length))
      sent.push({ id: appointment.id, hours, at: now });
  }
  const inOrder = (some: typeof sent) =>
    some.map(({ id, hours, at }) => `${id} ${hours} ${at.toISOString()}`).toSorted();
  expect(inOrder(sent)).toEqual(inOrder(oracle));
  expect(new Set(sent.map(({ id, hours }) => `${id} ${hours}`)).size).toBe(sent.length);
  expect(sent.length).toBeGreaterThan(BOOKINGS);
});

/** Every few hours over a week, day and night. Some are cancelled on the way. */
async function bookAround(
  clinic: Awaited<ReturnType<typeof aClinic>>,
  midnight: DateTime,
): Promise<Booked[]> {
  const booked: Booked[] = [];
  for (let nr = 0; nr < BOOKINGS; nr += 1) {
    const startsAt = midnight.plus({ hours: (nr - 7) * 7 }).toJSDate();
    const { id } = await book(database, clinic, { startsAt });
    const endedAt = nr % 5 === 4 ? new Date(startsAt.getTime() - (nr === 4 ? 50 : 10) * HOUR_MS) : null;
    booked.push({ id, startsAt, endedAt });
  }
  return booked;
}

interface Situation {
  zone: string;
  hoursBefore: readonly number[];
  booked: readonly Booked[];
  before: readonly { id: string; hours: number }[];
}

/** What is to be sent at a time, computed apart from the service: by the wall clock of the zone. */
function expectedAt(now: Date, { zone, hoursBefore, booked, before }: Situation) {
  const hour = Number(
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' }).format(now),
  );
  if (hour < 9 || hour >= 20) return [];
  return booked.flatMap(({ id, startsAt, endedAt }) => {
    if (startsAt <= now || (endedAt && endedAt <= now)) return [];
    const left = (startsAt.getTime() - now.getTime()) / HOUR_MS;
    const hours = hoursBefore.filter((each) => left <= each).toSorted((one, other) => one - other)[0];
    const earlier = before.filter((reminder) => reminder.id === id).map((reminder) => reminder.hours);
    return hours === undefined || earlier.some((each) => each <= hours) ? [] : [{ id, hours, at: now }];
  });
}
