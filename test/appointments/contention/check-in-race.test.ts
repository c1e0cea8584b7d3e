import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { noShowWorkflowId } from '../../../domain/temporal-names.ts';
import type { NoShowResult } from '../../../workflows/appointment-no-show.workflow.ts';
import { STANDARD_TIMINGS } from '../../../domain/timings.ts';
import { aClinic, book, change } from '../../support/clinic.ts';
import { until } from '../../support/until.ts';
import { createWorkerSurroundings } from '../../worker/running-worker.ts';
import { storedBodies } from '../../support/stored/stored-events.ts';
import { forSuite } from '../../support/for-suite.ts';

const APPOINTMENTS = 60;
const GRACE_SECONDS = 2;
const TIMINGS = { ...STANDARD_TIMINGS, noShowGraceSeconds: GRACE_SECONDS };

const surroundings = await forSuite(createWorkerSurroundings(undefined, TIMINGS));

interface Story {
  status: string;
  version: number;
  events: string[];
  versions: number[];
}

/** What an appointment went through: its events in order and the version that each of them shows. */
async function storyOf(appointmentId: string): Promise<Story> {
  const { rows } = await sql<Omit<Story, 'versions'>>`
    SELECT
      appointment.status,
      appointment.version,
      array_agg(event.type ORDER BY event.id) AS events
    FROM appointment
    JOIN webhook_event event ON event.appointment_id = appointment.id
    WHERE appointment.id = ${appointmentId}
    GROUP BY appointment.status, appointment.version
  `.execute(surroundings.database.em().getKysely());
  const [story] = rows;
  if (!story) throw new Error('the appointment has no events');
  type Body = { data: { appointment: { version: number } } };
  const bodies = await storedBodies<Body>(surroundings.database, { appointmentId });
  return { ...story, versions: [...bodies.values()].map(({ data }) => data.appointment.version) };
}

async function countNoShows(tenantId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM appointment WHERE tenant_id = ${tenantId} AND status = 'no_show'
  `.execute(surroundings.database.em().getKysely());
  return rows[0]?.count ?? 0;
}

/** As many as find a connection at once. */
async function eightAtATime<T, R>(subjects: readonly T[], act: (subject: T) => Promise<R>): Promise<R[]> {
  const open = subjects.values();
  const results: R[] = [];
  const take = async () => {
    for (const subject of open) results.push(await act(subject));
  };
  await Promise.all(Array.from({ length: 8 }, take));
  return results;
}

test('a check-in and the timer in the same instant: every patient ends attended, no event comes twice', async () => {
  const { database, namespace } = surroundings;
  const clinic = await aClinic(database, { professionals: APPOINTMENTS });
  await surroundings.startWorker({ timings: TIMINGS });
  // All are booked before the first is due.
  const startsAt = new Date(Date.now() + 5000);
  const dueAt = startsAt.getTime() + GRACE_SECONDS * 1000;
  const appointments = await eightAtATime(clinic.professionalIds, (professionalId) =>
    book(database, clinic, { professionalId, startsAt }),
  );
  const checkIn = ({ id }: { id: string }) => change(database, clinic, id, { status: 'attended' });
  // Half of the patients arrive as the timers are due, the others once the first timer has won.
  await until('the instant', () => Date.now() >= dueAt - 50);
  const early = eightAtATime(appointments.slice(0, APPOINTMENTS / 2), checkIn);
  await until('the first no-show', async () => (await countNoShows(clinic.tenantId)) > 0);
  const late = eightAtATime(appointments.slice(APPOINTMENTS / 2), checkIn);
  await Promise.all([early, late]);

  const stories = new Set<string>();
  for (const { id } of appointments) {
    const result: NoShowResult = await namespace.temporal.ask((client) =>
      client.workflow.getHandle(noShowWorkflowId(id)).result(),
    );
    const story = await storyOf(id);
    expect(story.status).toBe('attended');
    const isMarked = story.events.includes('appointment.no_show');
    expect(story.events).toEqual([
      'appointment.created',
      ...(isMarked ? ['appointment.no_show'] : []),
      'appointment.attended',
    ]);
    expect(story.versions).toEqual(isMarked ? [1, 2, 3] : [1, 2]);
    expect(story.version).toBe(story.versions.at(-1));
    expect(result.outcome === 'no_show' || result.outcome === 'checked_in').toBe(true);
    stories.add(isMarked ? 'timer first' : 'check-in first');
  }
  // Both orders happened, else this was no race.
  expect([...stories].toSorted()).toEqual(['check-in first', 'timer first']);
});
