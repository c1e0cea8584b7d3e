import { sql } from 'kysely';
import type { Database } from '../../db/connection/open-database.ts';
import { appointmentsIn, everyPage, type ApiClient } from '../support/api-client.ts';
import { anyOf } from '../support/any-of.ts';
import { bookingBody, inHours, type TestClinic } from '../support/clinic.ts';
import { storedEvents } from '../support/stored/stored-events.ts';
import type { SyncProgram } from './sync-program.ts';

/** What a practice and its reception do at random, and what both books must agree on. */

const STARTS = 60;
export const HALF_HOUR_MS = 30 * 60_000;

interface Practice {
  clinic: TestClinic;
  program: Pick<SyncProgram, 'wishFor' | 'wishToChange' | 'report'>;
  reception: ApiClient;
}

export async function practiceBooks({ clinic, program }: Practice): Promise<number> {
  await program.wishFor({ ...bookingBody(clinic, anyStart(), aVisit(clinic)) });
  return 1;
}

/** As the practice's book shows the appointment, which may be out of date. */
export async function practiceChanges({ clinic, program }: Practice): Promise<number> {
  const { book } = await program.report();
  const known = anyOf(book.filter(({ status }) => status === 'confirmed'));
  if (!known) return 0;
  await program.wishToChange(String(known['id']), anyChange(clinic, known));
  return 1;
}

export async function receptionActs({
  clinic,
  reception,
}: Pick<Practice, 'clinic' | 'reception'>): Promise<number> {
  const all = appointmentsIn(await reception.get('/v1/appointments'));
  const known = anyOf(all.filter(({ status }) => status !== 'rescheduled'));
  if (!known || Math.random() < 0.3) {
    await reception.post('/v1/appointments', bookingBody(clinic, anyStart(), aVisit(clinic)));
  } else if (known.status !== 'confirmed') {
    await reception.send('POST', `/v1/appointments/${known.id}/reinstate`);
  } else {
    await reception.patch(`/v1/appointments/${known.id}`, anyChange(clinic, known));
  }
  return 1;
}

/** All appointments, as `asLine` has them. */
export async function calendarOf(reception: ApiClient): Promise<string[]> {
  const pages = await everyPage(reception, '/v1/appointments');
  return pages.flatMap(appointmentsIn).map(asLine).sort();
}

export type Shown = ReturnType<typeof appointmentsIn>[number];

/** All that both books must agree on. */
export function asLine(shown: Shown): string {
  const { id, version, externalId, status, startsAt, endsAt, professionalId, patientName } = shown;
  return [id, version, externalId, status, startsAt, endsAt, professionalId, patientName].join(' ');
}

/** Events for the endpoint that are not among `gone`, in any order. @param limit all by default */
export async function eventsFor(
  database: Database,
  endpointId: string,
  gone: ReadonlySet<string>,
  limit: number | null = null,
) {
  const { rows } = await sql<{ id: string }>`
    SELECT event.id
    FROM webhook_delivery delivery
    JOIN webhook_event event ON event.id = delivery.event_id
    WHERE delivery.endpoint_id = ${endpointId}
      AND event.id <> ALL (${[...gone]}::text[])
    ORDER BY random()
    LIMIT ${limit}
  `.execute(database.em().getKysely());
  const events = await storedEvents(database, { id: { $in: rows.map(({ id }) => id) } });
  const bodies = new Map(events.map(({ id, body }) => [id, body ?? '']));
  return rows.map(({ id }) => ({ id, body: bodies.get(id) ?? '' }));
}

function anyStart(): Date {
  return new Date(inHours(24).getTime() + Math.floor(Math.random() * STARTS) * HALF_HOUR_MS);
}

function aVisit({ professionalIds }: TestClinic) {
  return { professionalId: anyOf(professionalIds), patientName: `Patient ${Math.random()}` };
}

function anyChange({ professionalIds }: TestClinic, { startsAt }: { startsAt?: unknown }): object {
  const endsAt = new Date(Date.parse(String(startsAt)) + anyOf([15, 45, 60]) * 60_000);
  return anyOf<object>([
    { startsAt: anyStart(), professionalId: anyOf(professionalIds) },
    { startsAt: anyStart(), professionalId: anyOf(professionalIds) },
    { endsAt },
    { patientName: `Patient ${Math.random()}` },
    { status: 'attended' },
    { status: 'cancelled' },
  ]);
}
