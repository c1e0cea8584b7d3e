import { describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import type { ChangeAppointment } from '../../commands/appointments/change-appointment.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import type { AppointmentStatus } from '../../domain/appointments/appointment-status.ts';
import type { ServiceError } from '../../domain/service-error.ts';
import { aClinic, anEndpoint, asOperator, book, change, inHours } from '../support/clinic.ts';
import { suiteDatabase } from '../support/database.ts';
import { storedEvents } from '../support/stored/stored-events.ts';

let hour = 24;

const database = await suiteDatabase({ applicationName: 'change-appointment' });
const clinic = await aClinic(database, { professionals: 2 });
await anEndpoint(database, clinic.tenantId);

function nextFreeHour(): Date {
  hour += 1;
  return inHours(hour);
}

async function anAppointment(status: AppointmentStatus): Promise<AppointmentRow> {
  const appointment = await book(database, clinic, { startsAt: nextFreeHour() });
  if (status === 'confirmed') return appointment;
  await start(appointment);
  const changes = status === 'rescheduled' ? { startsAt: nextFreeHour() } : { status };
  return (await change(database, clinic, appointment.id, changes)).appointment;
}

/** Its hour comes, as if it had been booked for a day long ago. */
async function start({ id }: AppointmentRow): Promise<void> {
  await sql`
    UPDATE appointment
    SET (block_from, starts_at, ends_at, block_until) = (
      SELECT block_from - ago, starts_at - ago, ends_at - ago, block_until - ago FROM (VALUES (interval '100 days')) long (ago)
    )
    WHERE id = ${id} AND starts_at > now()
  `.execute(database.em().getKysely());
}

async function eventsOf(appointmentId: string): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const events = await storedEvents(database, { appointmentId });
  return events.map(({ body }) => JSON.parse(body ?? ''));
}

/** The outcome of a change, and the types of the events it added. */
async function outcomeOf(appointment: AppointmentRow, changes: Partial<ChangeAppointment>) {
  const before = await eventsOf(appointment.id);
  const outcome = await change(database, clinic, appointment.id, changes, asOperator()).then(
    (changed) => changed.appointment.status,
    (error: ServiceError) => error.code,
  );
  const added = (await eventsOf(appointment.id)).slice(before.length).map(({ type }) => type);
  return { outcome, added };
}

describe('status changes follow the transition table', () => {
  const refused = 'invalid_status_transition';
  const moved = 'appointment_rescheduled';
  test.each<[AppointmentStatus, AppointmentStatus, string, string[]]>([
    ['confirmed', 'attended', 'attended', ['appointment.attended']],
    ['confirmed', 'no_show', 'no_show', ['appointment.no_show']],
    ['confirmed', 'cancelled', 'cancelled', ['appointment.cancelled']],
    ['confirmed', 'confirmed', 'confirmed', []],
    ['confirmed', 'rescheduled', refused, []],
    ['attended', 'attended', 'attended', []],
    ['attended', 'no_show', refused, []],
    ['attended', 'cancelled', 'cancelled', ['appointment.cancelled']],
    ['attended', 'confirmed', refused, []],
    ['no_show', 'attended', 'attended', ['appointment.attended']],
    ['no_show', 'no_show', 'no_show', []],
    ['no_show', 'cancelled', 'cancelled', ['appointment.cancelled']],
    ['cancelled', 'attended', refused, []],
    ['cancelled', 'no_show', refused, []],
    ['cancelled', 'cancelled', 'cancelled', []],
    ['cancelled', 'confirmed', refused, []],
    ['rescheduled', 'attended', moved, []],
    ['rescheduled', 'no_show', moved, []],
    ['rescheduled', 'cancelled', moved, []],
    ['rescheduled', 'confirmed', moved, []],
    ['rescheduled', 'rescheduled', 'rescheduled', []],
  ])('%s → %s: %s', async (from, to, outcome, added) => {
    const appointment = await anAppointment(from);
    await start(appointment);
    expect(await outcomeOf(appointment, { status: to })).toEqual({ outcome, added });
  });

  test('a no-show cannot be recorded before the appointment has started', async () => {
    const appointment = await anAppointment('confirmed');
    const result = await outcomeOf(appointment, { status: 'no_show' });
    expect(result).toEqual({ outcome: refused, added: [] });
  });

  test.each<AppointmentStatus>(['confirmed', 'attended', 'no_show', 'cancelled'])(
    'an appointment that is %s can be moved, with one event',
    async (status) => {
      const appointment = await anAppointment(status);
      const startsAt = nextFreeHour();
      expect(await outcomeOf(appointment, { startsAt })).toEqual({
        outcome: 'rescheduled',
        added: ['appointment.rescheduled'],
      });
      // The same request again finds its work done.
      expect(await outcomeOf(appointment, { startsAt })).toEqual({ outcome: 'rescheduled', added: [] });
      expect(await outcomeOf(appointment, { startsAt: nextFreeHour() })).toEqual({
        outcome: moved,
        added: [],
      });
    },
  );
});

test('a patch of equal values changes nothing: no event, same version', async () => {
  const appointment = await book(database, clinic, {
    startsAt: nextFreeHour(),
    patientNotes: 'x',
    metadata: { a: 1 },
  });
  const { appointment: after } = await change(database, clinic, appointment.id, {
    status: 'confirmed',
    patientNotes: 'x',
    metadata: { a: 1 },
    startsAt: new Date(appointment.startsAt),
  });
  expect(after.version).toBe(1);
  expect(await eventsOf(appointment.id)).toHaveLength(1);
});

test('edited notes are shown in appointment.updated with the names of the changed fields', async () => {
  const appointment = await anAppointment('confirmed');
  await change(database, clinic, appointment.id, { patientNotes: 'allergic to latex' });
  const event = (await eventsOf(appointment.id)).at(-1);
  expect(event).toMatchObject({
    type: 'appointment.updated',
    data: { changes: ['patientNotes'], appointment: { patientNotes: 'allergic to latex', version: 2 } },
  });
  expect(event?.data['appointment']).not.toHaveProperty('metadata');
});

test('a check-in with notes is one event, which does not show the notes', async () => {
  const appointment = await anAppointment('confirmed');
  await change(database, clinic, appointment.id, { status: 'attended', patientNotes: 'came early' });
  const [, ...added] = await eventsOf(appointment.id);
  expect(added.map(({ type }) => type)).toEqual(['appointment.attended']);
  expect(JSON.stringify(added)).not.toContain('came early');
});

test.each<AppointmentStatus>(['confirmed', 'attended', 'no_show', 'cancelled'])(
  'who the patient is can be corrected when an appointment is %s, with one event that names what changed',
  async (status) => {
    const appointment = await anAppointment(status);
    const patient = {
      patientName: 'Mara Santos',
      patientPhoneHash: 'b'.repeat(64),
      patientExternalId: 'p-1',
    };
    expect(await outcomeOf(appointment, patient)).toEqual({
      outcome: status,
      added: ['appointment.updated'],
    });
    expect((await eventsOf(appointment.id)).at(-1)?.data).toMatchObject({
      changes: ['patientName', 'patientPhone', 'patientExternalId'],
      appointment: patient,
    });
    expect(await outcomeOf(appointment, patient)).toEqual({ outcome: status, added: [] });
  },
);

test('who the patient is is corrected at the replacement, once the appointment was moved', async () => {
  const appointment = await anAppointment('rescheduled');
  for (const patient of [{ patientName: 'Mara Santos' }, { patientPhoneHash: 'b'.repeat(64) }]) {
    expect(await outcomeOf(appointment, patient)).toEqual({ outcome: 'appointment_rescheduled', added: [] });
  }
});

test('a move with another name gives it to both, and repeated finds its work done', async () => {
  const appointment = await anAppointment('confirmed');
  const wanted = { startsAt: nextFreeHour(), patientName: 'Mara Santos' };
  const moved = await change(database, clinic, appointment.id, wanted);
  expect([moved.appointment.patientName, moved.replacement?.patientName]).toEqual([
    'Mara Santos',
    'Mara Santos',
  ]);
  expect(await outcomeOf(appointment, wanted)).toEqual({ outcome: 'rescheduled', added: [] });
});

test.each<[AppointmentStatus, string]>([
  ['attended', 'invalid_status_transition'],
  ['no_show', 'invalid_status_transition'],
  ['cancelled', 'invalid_status_transition'],
  ['rescheduled', 'appointment_rescheduled'],
])('the end of an appointment that is %s stays as it is: %s', async (status, outcome) => {
  const appointment = await anAppointment(status);
  const { startsAt } = (await change(database, clinic, appointment.id, {})).appointment;
  const endsAt = new Date(startsAt.getTime() + 45 * 60_000);
  expect(await outcomeOf(appointment, { endsAt })).toEqual({ outcome, added: [] });
});

test('the replacement inherits the patient and keeps the external id free of conflict', async () => {
  const startsAt = nextFreeHour();
  const original = await book(database, clinic, {
    startsAt,
    externalId: 'pms-1',
    patientNotes: 'n',
    metadata: { k: 1 },
  });
  const overlapping = new Date(startsAt.getTime() + 10 * 60_000);
  const { appointment, replacement } = await change(database, clinic, original.id, { startsAt: overlapping });
  expect(appointment).toMatchObject({
    status: 'rescheduled',
    rescheduledToId: replacement?.id,
    blocks: false,
  });
  expect(replacement).toMatchObject({
    status: 'confirmed',
    version: 1,
    patientName: original.patientName,
    patientPhoneHash: original.patientPhoneHash,
    patientNotes: 'n',
    metadata: { k: 1 },
    externalId: 'pms-1',
    rescheduledFromId: original.id,
    startsAt: overlapping,
  });
});

test('an external id in use is refused for a booking and for an edit', async () => {
  await book(database, clinic, { startsAt: nextFreeHour(), externalId: 'pms-2' });
  const other = await anAppointment('confirmed');
  await expect(
    book(database, clinic, { startsAt: nextFreeHour(), externalId: 'pms-2' }),
  ).rejects.toMatchObject({
    code: 'external_id_conflict',
  });
  expect((await outcomeOf(other, { externalId: 'pms-2' })).outcome).toBe('external_id_conflict');
});

test('an appointment without a service keeps its own length and buffer when it is moved, to any professional', async () => {
  const booked = await book(database, clinic, { startsAt: nextFreeHour() });
  await database.em().execute(
    `UPDATE appointment
     SET service_type_id = NULL, ends_at = starts_at + interval '20 minutes', block_until = starts_at + interval '25 minutes'
     WHERE id = ?`,
    [booked.id],
  );
  const professionalId = clinic.professionalIds[1] ?? '';
  const startsAt = nextFreeHour();
  const { replacement } = await change(database, clinic, booked.id, { startsAt, professionalId });
  const minutesAfter = (minutes: number) => new Date(startsAt.getTime() + minutes * 60_000);
  expect(replacement).toMatchObject({
    serviceTypeId: null,
    professionalId,
    startsAt,
    endsAt: minutesAfter(20),
    blockUntil: minutesAfter(25),
  });
  const stranger = await aClinic(database);
  const foreign = { startsAt: nextFreeHour(), professionalId: stranger.professionalIds[0] ?? '' };
  await expect(change(database, clinic, replacement?.id ?? '', foreign)).rejects.toMatchObject({
    code: 'validation_failed',
  });
});

test('a stale version is refused before anything else', async () => {
  const appointment = await anAppointment('cancelled');
  const result = await outcomeOf(appointment, { status: 'attended', expectedVersion: 1 });
  expect(result).toEqual({ outcome: 'version_mismatch', added: [] });
});

test('a status change and a move in one request are refused', async () => {
  const appointment = await anAppointment('confirmed');
  const result = await outcomeOf(appointment, { status: 'attended', startsAt: nextFreeHour() });
  expect(result).toEqual({ outcome: 'validation_failed', added: [] });
});

test('a late check-in does not take back a slot that was given away', async () => {
  const startsAt = nextFreeHour();
  const missed = await book(database, clinic, { startsAt });
  await start(missed);
  await change(database, clinic, missed.id, { status: 'no_show' });
  await start(await book(database, clinic, { startsAt }));
  expect((await outcomeOf(missed, { status: 'attended' })).outcome).toBe('attended');
});

test('a taken slot names three free ones nearby that can indeed be booked', async () => {
  const [morning] = [nextFreeHour(), nextFreeHour(), nextFreeHour()];
  const taken = await book(database, clinic, { startsAt: morning });
  const rival = { startsAt: taken.startsAt, patientName: 'Rui Santos' };
  const error = await book(database, clinic, rival).catch((caught: ServiceError) => caught);
  const alternatives = (error as ServiceError).details.extras?.['alternatives'] as {
    startsAt: string;
    professionalId: string;
  }[];
  expect(alternatives).toHaveLength(3);
  for (const { startsAt, professionalId } of alternatives) {
    await book(database, clinic, { startsAt: new Date(startsAt), professionalId });
  }
});

test('a refused move names other times than the one that the appointment has', async () => {
  const [startsAt, next] = [nextFreeHour(), nextFreeHour()];
  const { id } = await book(database, clinic, { startsAt });
  await book(database, clinic, { startsAt: next, patientName: 'Rui Santos' });
  const error = await change(database, clinic, id, { startsAt: next }).catch(
    (caught: ServiceError) => caught,
  );
  const alternatives = (error as ServiceError).details.extras?.['alternatives'] as { startsAt: string }[];
  expect(alternatives).toHaveLength(3);
  expect(alternatives.map((slot) => slot.startsAt)).not.toContain(startsAt.toISOString());
});
