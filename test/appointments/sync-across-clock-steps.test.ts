import { expect, test } from '@jest/globals';
import { bookAppointment } from '../../commands/appointments/book-appointment.ts';
import { changeAppointment } from '../../commands/appointments/change-appointment.ts';
import { markNoShow } from '../../commands/appointments/mark-no-show.ts';
import { TIMELINE_KINDS } from '../../db/webhooks/events/insert-event.ts';
import { appointmentIn, appointmentsIn, nextCursorIn } from '../support/api-client.ts';
import { aBooking, asOperator, book, bookingBody, inHours } from '../support/clinic.ts';
import { createTestDatabase } from '../support/database.ts';
import { giveSteppedClock, stepClock } from '../support/environment/stepped-clock.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { storedEvents } from '../support/stored/stored-events.ts';

/** As after a failover to a server whose clock is slow: what was read with an earlier mark is complete with the later ones. */

const MINUTE_S = 60;

let nextHour = 24;
let nextPast = -3;

const own = await createTestDatabase();
await giveSteppedClock(own.url);
const api = await suiteApi({}, own);

const step = (seconds: number) => stepClock(api.databaseUrl, seconds);

const aSlot = () => inHours((nextHour += 1));
const aPastSlot = () => inHours((nextPast -= 1));

interface Pass {
  mark: string;
  /** What came, by id. */
  changes: Map<string, { version: number; updatedAt: string }>;
}

/** Reads all pages, as a copy does. */
async function pass(since: string): Promise<Pass> {
  const changes: Pass['changes'] = new Map();
  for (let cursor: string | null = null, mark = ''; ;) {
    const page = await api.client.get('/v1/appointments', { updatedSince: since, ...(cursor && { cursor }) });
    expect(page.status).toBe(200);
    for (const each of appointmentsIn(page)) changes.set(each.id, each);
    mark ||= String(page.body['syncedUntil']);
    cursor = nextCursorIn(page);
    if (cursor === null) return { mark, changes };
  }
}

const markNow = async () => (await pass('2000-01-01T00:00:00Z')).mark;

/** A mark that is later than all changes so far, and that the clock is behind from now on. */
async function aMarkAhead(): Promise<string> {
  await step(2 * MINUTE_S);
  const mark = await markNow();
  await step(-MINUTE_S);
  return mark;
}

async function booked(startsAt = aSlot()): Promise<string> {
  const answer = await api.client.post('/v1/appointments', bookingBody(api.clinic, startsAt));
  expect(answer.status).toBe(201);
  return appointmentIn(answer).id;
}

async function patched(id: string, changes: object): Promise<string> {
  expect((await api.client.patch(`/v1/appointments/${id}`, changes)).status).toBe(200);
  return id;
}

const AN_IMPORTED_SLOT = aPastSlot();

async function imported(externalId: string, startsAt: Date, changes: object = {}): Promise<string> {
  const { professionalIds, serviceTypeId } = api.clinic;
  const visit = { professionalId: professionalIds[1], serviceTypeId, startsAt: startsAt.toISOString() };
  const patient = { patientName: 'Ana Martins', patientPhone: '+351912345678', status: 'attended' };
  const items = [{ externalId, ...visit, ...patient, ...changes }];
  const { body } = await api.client.post('/v1/appointments/import', { items });
  return (body['items'] as { id: string }[])[0]?.id ?? '';
}

interface Write {
  prepare?: () => Promise<string>;
  write: (id: string) => Promise<string>;
}

/** Each way in which the change of an appointment is dated; each kind of a timeline line has one. */
const WRITES: Record<string, Write> = {
  created: { write: () => booked() },
  updated: { prepare: booked, write: (id) => patched(id, { patientName: 'Rui Costa' }) },
  'updated, together with others': { prepare: booked, write: (id) => patched(id, { patientNotes: 'n' }) },
  attended: { prepare: booked, write: (id) => patched(id, { status: 'attended' }) },
  cancelled: { prepare: booked, write: (id) => patched(id, { status: 'cancelled' }) },
  no_show: { prepare: () => booked(aPastSlot()), write: (id) => patched(id, { status: 'no_show' }) },
  'no_show, by the timer': {
    prepare: () => booked(aPastSlot()),
    async write(appointmentId) {
      const late = { tenantId: api.clinic.tenantId, appointmentId };
      const marked = await api.database.write((em) => markNoShow(em, late, asOperator()));
      expect(marked).toMatchObject({ outcome: 'no_show' });
      return appointmentId;
    },
  },
  rescheduled: { prepare: booked, write: (id) => patched(id, { startsAt: aSlot().toISOString() }) },
  'rescheduled, its replacement': {
    prepare: booked,
    async write(id) {
      const { body } = await api.client.patch(`/v1/appointments/${id}`, { startsAt: aSlot().toISOString() });
      return String(body['rescheduledToId']);
    },
  },
  reinstated: {
    prepare: async () => patched(await booked(), { status: 'cancelled' }),
    async write(id) {
      const { status } = await api.client.send('POST', `/v1/appointments/${id}/reinstate`);
      expect(status).toBe(200);
      return id;
    },
  },
  imported: { write: () => imported('imported', aPastSlot()) },
  'imported again': {
    prepare: () => imported('again', AN_IMPORTED_SLOT),
    write: () => imported('again', AN_IMPORTED_SLOT, { patientName: 'Rui Costa' }),
  },
  'imported again, at another time': {
    prepare: () => imported('moved', aPastSlot()),
    write: () => imported('moved', aPastSlot()),
  },
};

test('the writes that are tried are of every kind that timelines have', () => {
  expect(Object.keys(WRITES)).toEqual(expect.arrayContaining([...TIMELINE_KINDS]));
});

test.each(Object.entries(WRITES))(
  '%s: a change after a step back is behind no mark',
  async (_, { prepare, write }) => {
    const id = (await prepare?.()) ?? '';
    const mark = await aMarkAhead();
    const changed = await write(id);
    const { changes } = await pass(mark);
    const { updatedAt = '' } = changes.get(changed) ?? {};
    expect(updatedAt >= mark).toBe(true);
    const events = await storedEvents(api.database, { appointmentId: id || changed });
    // Of what is brought in for the first time no one is told.
    if (events.length > 0)
      expect(events.map(({ createdAt }) => createdAt.toISOString())).toContain(updatedAt);
  },
);

test('marks never go back, and go on once the clock has come as far', async () => {
  const first = await aMarkAhead();
  await booked();
  const second = await markNow();
  expect(second >= first).toBe(true);
  await step(2 * MINUTE_S);
  const third = await markNow();
  expect(Date.parse(third) - Date.parse(first)).toBeGreaterThan((MINUTE_S - 5) * 1000);
});

test('a transaction that began before the clock was set back, or after, is behind no mark that was given out meanwhile', async () => {
  const { database, clinic } = api;
  const { id } = await book(database, clinic, { startsAt: aSlot() });
  const edit = { tenantId: clinic.tenantId, appointmentId: id, mayBackdate: false, patientNotes: 'n' };
  const marks: string[] = [];
  const late = await database.write(async (em) => {
    // Its transaction has begun, and has read how far the marks are.
    await changeAppointment(em, edit, asOperator());
    marks.push(await markNow());
    await step(-MINUTE_S);
    marks.push(await markNow());
    const made = await bookAppointment(em, aBooking(clinic, { startsAt: aSlot() }), asOperator());
    marks.push(
      await database.write(async (other) => {
        await bookAppointment(other, aBooking(clinic, { startsAt: aSlot() }), asOperator());
        await step(2 * MINUTE_S);
        return markNow();
      }),
    );
    return made.id;
  });
  for (const mark of marks) {
    const { changes } = await pass(mark);
    expect([...changes.keys()]).toEqual(expect.arrayContaining([id, late]));
  }
});

test('of bookings that go on while the clock is set back and forth, none is missing from what a copy has read', async () => {
  const made = new Set<string>();
  const seen = new Set<string>();
  let since = await markNow();
  const read = async () => {
    const { mark, changes } = await pass(since);
    expect(mark >= since).toBe(true);
    for (const id of changes.keys()) seen.add(id);
    since = mark;
  };
  for (const seconds of [0, -5, 0, 5, -3600, 3600, -5, 5]) {
    await step(seconds);
    const bookings = Array.from({ length: 8 }, async () => made.add(await booked()));
    await Promise.all([...bookings, read()]);
  }
  await read();
  expect([...made].filter((id) => !seen.has(id))).toEqual([]);
});
