import { afterAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { AppointmentEntity } from '../../db/entities/appointment.entity.ts';
import { aClinic, book, change, inHours, type TestClinic } from '../support/clinic.ts';
import { suiteDatabase } from '../support/database.ts';
import { snippet } from './guide.ts';
import { storedEvents } from '../support/stored/stored-events.ts';
import { storedAppointments } from '../support/stored/stored-appointments.ts';

/** The fields of an appointment that the recipe stores. */
interface Appointment {
  id: string;
  version: number;
  status: string;
  startsAt: string;
  endsAt: string;
  patientName: string;
  rescheduledToId: string | null;
}

interface AppointmentEvent {
  type: string;
  data: { appointment?: Appointment; original?: Appointment; replacement?: Appointment };
}

const FIELDS = ['id', 'version', 'status', 'startsAt', 'endsAt', 'patientName', 'rescheduledToId'] as const;
const SHUFFLES = 200;

const database = await suiteDatabase();
const receiver = new Client({ connectionString: database.url });
await receiver.connect();
await receiver.query(`
  CREATE TEMPORARY TABLE appointments (
    id uuid PRIMARY KEY, version integer NOT NULL, status text NOT NULL, starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL, patient_name text NOT NULL, rescheduled_to_id uuid
  )
`);
afterAll(() => receiver.end());

test('the recipe for order ends with the newest state of each appointment, however events are shuffled and repeated', async () => {
  const clinic = await aClinic(database);
  await aBusyWeek(clinic);
  const events = await recorded(clinic);
  expect(new Set(events.map(({ type }) => type)).size).toBe(5);
  const truth = await asTheServiceHasIt(clinic);
  const pick = aSeries(20_260_302);
  for (let round = 0; round < SHUFFLES; round += 1) {
    expect(await storeAll(shuffled([...events, ...events.slice(0, 3)], pick))).toEqual(truth);
  }
});

test('without any appointment.created, or with all of them last, it ends the same', async () => {
  const clinic = await aClinic(database);
  await aBusyWeek(clinic);
  const events = await recorded(clinic);
  const truth = await asTheServiceHasIt(clinic);
  const [created, later] = [
    events.filter(({ type }) => type === 'appointment.created'),
    events.filter(({ type }) => type !== 'appointment.created'),
  ];
  expect(await storeAll([...later, ...created])).toEqual(truth);
  // Each appointment of the week was changed after its booking.
  expect(await storeAll(later)).toEqual(truth);
});

/** Appointments that are edited, moved twice, checked in and cancelled. */
async function aBusyWeek(clinic: TestClinic): Promise<void> {
  const cancelled = await book(database, clinic, { startsAt: inHours(24) });
  await change(database, clinic, cancelled.id, { patientNotes: 'Prefers mornings' });
  await change(database, clinic, cancelled.id, { status: 'cancelled' });
  const moved = await book(database, clinic, { startsAt: inHours(25) });
  await change(database, clinic, moved.id, { startsAt: inHours(26) });
  const { rescheduledToId: second } = await stored(moved.id);
  await change(database, clinic, second ?? '', { startsAt: inHours(27) });
  const { rescheduledToId: third } = await stored(second ?? '');
  await change(database, clinic, third ?? '', { status: 'attended' });
}

function stored(id: string) {
  return database.em().findOneOrFail(AppointmentEntity, { id });
}

async function recorded({ tenantId }: TestClinic): Promise<AppointmentEvent[]> {
  const rows = await storedEvents(database, { tenantId });
  return rows.map(({ body }) => JSON.parse(body ?? '') as AppointmentEvent);
}

async function asTheServiceHasIt({ tenantId }: TestClinic): Promise<Appointment[]> {
  return comparable(await storedAppointments(database, { tenantId }));
}

/** As a receiver does with the guide's statement; returns what it has in the end. */
async function storeAll(events: readonly AppointmentEvent[]): Promise<Appointment[]> {
  await receiver.query('TRUNCATE appointments');
  for (const { data } of events) {
    for (const appointment of [data.appointment, data.original, data.replacement]) {
      if (appointment) await store(appointment);
    }
  }
  const columns = FIELDS.map((field) => `${columnOf(field)} AS "${field}"`).join(', ');
  const { rows } = await receiver.query<Record<string, unknown>>(`SELECT ${columns} FROM appointments`);
  return comparable(rows);
}

/** With the numbers that pg wants in place of names. */
function store(appointment: Appointment): Promise<unknown> {
  const names: (keyof Appointment)[] = [];
  const numbered = snippet('store-appointment.sql').replace(/:(\w+)/g, (_, name: keyof Appointment) => {
    names.push(name);
    return `$${names.length}`;
  });
  return receiver.query(
    numbered,
    names.map((name) => appointment[name]),
  );
}

function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function comparable(rows: readonly Record<string, unknown>[]): Appointment[] {
  const picked = rows.map((row) => Object.fromEntries(FIELDS.map((field) => [field, row[field]])));
  const appointments = JSON.parse(JSON.stringify(picked)) as Appointment[];
  return appointments.toSorted((a, b) => a.id.localeCompare(b.id));
}

function shuffled<T>(items: readonly T[], pick: (below: number) => number): T[] {
  const rest = [...items];
  return items.flatMap(() => rest.splice(pick(rest.length), 1));
}

/** The same numbers at every run (Park and Miller's). */
function aSeries(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}
