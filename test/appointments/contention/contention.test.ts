import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { appointmentIn, createApiClient, type ApiAnswer } from '../../support/api-client.ts';
import { byBusyClients, findDisorder } from './busy-clients.ts';
import { suiteApi } from '../../support/servers/api-server.ts';
import { aClinic, bookingBody, inHours } from '../../support/clinic.ts';

const CLIENTS = 24;
const REQUESTS_EACH = 8;
const STARTS = 40;
const QUARTER_MS = 15 * 60_000;

const api = await suiteApi();
const clinic = await aClinic(api.database, { professionals: 3 });
const client = createApiClient(api.url, await api.keyOf({ tenantId: clinic.tenantId }));

function anyOf<T>(values: readonly T[]): T {
  const value = values[Math.floor(Math.random() * values.length)];
  if (value === undefined) throw new Error('nothing to choose from');
  return value;
}

/** Half hours on a grid of quarters: neighbours overlap. */
function anyStart(): Date {
  return new Date(inHours(48).getTime() + Math.floor(Math.random() * STARTS) * QUARTER_MS);
}

async function byAllClients(request: () => Promise<ApiAnswer>): Promise<ApiAnswer[]> {
  const runs = Array.from({ length: CLIENTS }, async () => {
    const answers: ApiAnswer[] = [];
    while (answers.length < REQUESTS_EACH) {
      const answer = await request();
      // A machine that does not keep up says so, and a client asks again.
      if (answer.status !== 503) answers.push(answer);
    }
    return answers;
  });
  return (await Promise.all(runs)).flat();
}

async function countDeadlocks(): Promise<number> {
  const { rows } = await sql<{ deadlocks: number }>`
    SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()
  `.execute(api.database.em().getKysely());
  return rows[0]?.deadlocks ?? 0;
}

async function expectNoOverlap(): Promise<void> {
  const { rows } = await sql<{ overlaps: number }>`
    SELECT count(*)::int AS overlaps
    FROM appointment a
    JOIN appointment b ON a.professional_id = b.professional_id AND a.id < b.id
    WHERE a.status IN ('confirmed', 'attended')
      AND b.status IN ('confirmed', 'attended')
      AND a.starts_at < b.ends_at AND b.starts_at < a.ends_at
  `.execute(api.database.em().getKysely());
  expect(rows).toEqual([{ overlaps: 0 }]);
}

function statusesOf(answers: readonly ApiAnswer[]): number[] {
  return [...new Set(answers.map(({ status }) => status))].sort((a, b) => a - b);
}

test('many clients book and move overlapping times: each is answered yes or conflict, and nothing overlaps', async () => {
  const bookings = await byAllClients(() =>
    client.post(
      '/v1/appointments',
      bookingBody(clinic, anyStart(), {
        professionalId: anyOf(clinic.professionalIds),
        patientName: crypto.randomUUID(),
      }),
    ),
  );
  expect(statusesOf(bookings)).toEqual([201, 409]);
  await expectNoOverlap();

  const booked = bookings.filter(({ status }) => status === 201).map((answer) => appointmentIn(answer).id);
  const moves = await byAllClients(() =>
    client.patch(`/v1/appointments/${anyOf(booked)}`, {
      startsAt: anyStart(),
      professionalId: anyOf(clinic.professionalIds),
    }),
  );
  expect(statusesOf(moves)).toEqual([200, 409]);
  await expectNoOverlap();
  expect(await countDeadlocks()).toBe(0);
});

test('lengths of their own, corrections, reinstatements and blocks, all at once: nothing overlaps, nothing deadlocks', async () => {
  const outcomes = await byBusyClients(api, REQUESTS_EACH * 2);
  expect([...outcomes.keys()].sort()).toEqual([
    '200',
    '201',
    'appointment_rescheduled',
    'invalid_status_transition',
    'slot_conflict',
  ]);
  expect(await findDisorder(api.database)).toEqual({ overlaps: 0, deadlocks: 0 });
});
