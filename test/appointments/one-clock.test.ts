import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import { createCallNumberVault } from '../../adapters/phones/call-numbers.ts';
import { createPhoneHash } from '../../adapters/phones/phone-hash.ts';
import { bookAppointment } from '../../commands/appointments/book-appointment.ts';
import { changeAppointment } from '../../commands/appointments/change-appointment.ts';
import { submitNps, submitTriage } from '../../commands/appointments/patient-answers.ts';
import { completeCall, startCall } from '../../commands/calls/record-call.ts';
import { requireLockedCall } from '../../commands/calls/require-call.ts';
import { lockAppointment } from '../../db/appointments/find-appointment.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { NpsResponseEntity } from '../../db/entities/nps-response.entity.ts';
import { TriageFormEntity } from '../../db/entities/triage-form.entity.ts';
import { aBooking, aClinic, asOperator, book, change, inHours } from '../support/clinic.ts';
import { suiteDatabase } from '../support/database.ts';
import { lockWaits } from '../support/lock-waits.ts';
import { until } from '../support/until.ts';
import { storedEvents } from '../support/stored/stored-events.ts';

const HOUR_MS = 3_600_000;

const database = await suiteDatabase({ applicationName: 'one-clock' });

/** A request to an API process whose clock is an hour slow. */
function anHourSlow() {
  return asOperator(new Date(Date.now() - HOUR_MS));
}

/** Does `first` in a transaction that commits once `second` waits for it; returns the database's time before that commit. */
async function oneWaitsForTheOther(
  first: (em: EntityManager) => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<number> {
  let waiting: Promise<unknown> = Promise.resolve();
  const committedAt = await database.write(async (em) => {
    await first(em);
    waiting = second();
    await until('the second waits for the lock', () => lockWaits(database.em()));
    return databaseTime(em);
  });
  await waiting;
  return committedAt;
}

async function databaseTime(em: EntityManager): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    SELECT (extract(epoch FROM date_trunc('milliseconds', clock_timestamp())) * 1000)::float8 AS ms
  `.execute(em.getKysely());
  return rows[0]?.ms ?? 0;
}

interface Told {
  type: string;
  ms: number;
  /** What the event's text says of its instant. */
  said: string;
  version: number | null;
  updatedAt: string | null;
}

interface SaidByEvent {
  createdAt: string;
  data: { appointment?: { version: number; updatedAt: string } };
}

/** The events of an appointment as they were told, in the order of their times. */
async function eventsOf(appointmentId: string): Promise<Told[]> {
  const events = await storedEvents(database, { appointmentId });
  return events
    .toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime())
    .map(({ type, createdAt, body }) => {
      const said = JSON.parse(body ?? '') as SaidByEvent;
      const { version = null, updatedAt = null } = said.data.appointment ?? {};
      return { type, ms: createdAt.getTime(), said: said.createdAt, version, updatedAt };
    });
}

async function timelineOf(appointmentId: string): Promise<{ kind: string; ms: number }[]> {
  const { rows } = await sql<{ kind: string; ms: number }>`
    SELECT kind, (extract(epoch FROM at) * 1000)::float8 AS ms
    FROM appointment_change
    WHERE appointment_id = ${appointmentId}
    ORDER BY at
  `.execute(database.em().getKysely());
  return rows;
}

test('a booking, its event and its timeline bear one instant, whatever the clock of the process says', async () => {
  const clinic = await aClinic(database);
  const booked = await database.write((em) => bookAppointment(em, aBooking(clinic), anHourSlow()));

  const [event] = await eventsOf(booked.id);
  const instant = booked.createdAt.toISOString();
  expect(event).toMatchObject({ ms: booked.createdAt.getTime(), said: instant, updatedAt: instant });
  expect(await timelineOf(booked.id)).toEqual([{ kind: 'created', ms: booked.createdAt.getTime() }]);
});

test('a check-in that waited for an edit is stamped after it, though its process is an hour slow', async () => {
  const clinic = await aClinic(database);
  const { id } = await book(database, clinic);
  const edit = {
    tenantId: clinic.tenantId,
    appointmentId: id,
    mayBackdate: false,
  };
  const committedAt = await oneWaitsForTheOther(
    (em) => changeAppointment(em, { ...edit, patientNotes: 'Prefers mornings' }, asOperator()),
    () => change(database, clinic, id, { status: 'attended' }, anHourSlow()),
  );

  const events = await eventsOf(id);
  expect(events.map(({ type, version }) => [type, version])).toEqual([
    ['appointment.created', 1],
    ['appointment.updated', 2],
    ['appointment.attended', 3],
  ]);
  expect(events.map(({ updatedAt }) => updatedAt)).toEqual(events.map(({ said }) => said));
  const timeline = await timelineOf(id);
  expect(timeline.map(({ kind }) => kind)).toEqual(['created', 'updated', 'attended']);
  expect(timeline.map(({ ms }) => ms)).toEqual(events.map(({ ms }) => ms));
  expect(events.at(-1)?.ms).toBeGreaterThanOrEqual(committedAt);
  const [row] = await database
    .em()
    .execute<{ same: boolean }[]>('SELECT checked_in_at = updated_at AS same FROM appointment WHERE id = ?', [
      id,
    ]);
  expect(row).toEqual({ same: true });
});

test('a move that waited is stamped after the wait on both appointments, though its process is an hour slow', async () => {
  const clinic = await aClinic(database);
  const { id } = await book(database, clinic);
  // The first only holds the row, so the second finds it as it was when it began to wait.
  const held = sql`SELECT FROM appointment WHERE id = ${id} FOR UPDATE`;
  const committedAt = await oneWaitsForTheOther(
    (em) => held.execute(em.getKysely()),
    () => change(database, clinic, id, { startsAt: inHours(48) }, anHourSlow()),
  );

  const moved = (await eventsOf(id)).at(-1);
  expect(moved?.type).toBe('appointment.rescheduled');
  expect(moved?.ms).toBeGreaterThanOrEqual(committedAt);
  const [replacement] = await database
    .em()
    .execute<{ id: string; ms: number }[]>(
      'SELECT id, (extract(epoch FROM created_at) * 1000)::float8 AS ms FROM appointment WHERE rescheduled_from_id = ?',
      [id],
    );
  expect(replacement?.ms).toBe(moved?.ms);
  expect(await timelineOf(replacement?.id ?? '')).toEqual([{ kind: 'created', ms: moved?.ms }]);
});

test('the answers of a patient that waited for the appointment are stamped after the wait, though their process is an hour slow', async () => {
  const clinic = await aClinic(database);
  const { id } = await book(database, clinic);
  const appointment = { tenantId: clinic.tenantId, appointmentId: id };
  const committedAt = await oneWaitsForTheOther(
    (em) => lockAppointment(em, clinic.tenantId, id),
    () =>
      database.write(async (em) => {
        await submitTriage(em, { ...appointment, answers: { allergies: 'penicillin' } }, anHourSlow());
        await submitNps(em, { ...appointment, score: 9, comment: null }, anHourSlow());
      }),
  );

  const form = await database.em().findOneOrFail(TriageFormEntity, appointment);
  const response = await database.em().findOneOrFail(NpsResponseEntity, appointment);
  const [booked, ...answers] = await eventsOf(id);
  expect(booked?.type).toBe('appointment.created');
  expect(answers).toHaveLength(2);
  for (const [type, { createdAt }] of Object.entries({
    'triage.submitted': form,
    'nps.submitted': response,
  })) {
    const instant = { ms: createdAt.getTime(), said: createdAt.toISOString() };
    expect(answers).toContainEqual(expect.objectContaining({ type, ...instant }));
    expect(instant.ms).toBeGreaterThanOrEqual(committedAt);
  }
});

test('the end of a call that waited for its lock is stamped after the wait, though its process is an hour slow', async () => {
  const { tenantId } = await aClinic(database);
  const numbers = await createCallNumberVault(
    database.ciphers,
    createPhoneHash({ current: Buffer.alloc(32, 7) }),
  ).of(tenantId);
  const callId = uuidv7();
  const startedAt = new Date('2026-03-02T09:30:00.000Z');
  const call = { tenantId, callId, startedAt, telephonyCallControlId: null, metadata: {} };
  const started = { ...call, fromNumber: '+351912345678', toNumber: '+351210000000' };
  await database.write((em) => startCall(em, started, numbers, anHourSlow()));
  const end = {
    tenantId,
    callId,
    endedAt: startedAt,
    outcome: 'info_only',
    transcriptionWordCount: null,
  } as const;
  const committedAt = await oneWaitsForTheOther(
    (em) => requireLockedCall(em, tenantId, callId),
    () => database.write((em) => completeCall(em, end, numbers, anHourSlow())),
  );

  const { rows } = await sql<{ type: string; ms: number; rowMs: number }>`
    SELECT
      event.type,
      (extract(epoch FROM event.created_at) * 1000)::float8 AS ms,
      (extract(epoch FROM CASE event.type WHEN 'call.started' THEN call.created_at ELSE call.updated_at END) * 1000)::float8
        AS "rowMs"
    FROM webhook_event event
    JOIN call ON call.tenant_id = event.tenant_id
    WHERE call.id = ${callId}
    ORDER BY event.created_at
  `.execute(database.em().getKysely());
  expect(rows.map(({ type }) => type)).toEqual(['call.started', 'call.completed']);
  expect(rows.map(({ ms }) => ms)).toEqual(rows.map(({ rowMs }) => rowMs));
  expect(rows.at(-1)?.ms).toBeGreaterThanOrEqual(committedAt);
});
