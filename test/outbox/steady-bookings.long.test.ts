import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { evenly } from '../../bench/load/pace.ts';
import { findOutboxBacklog } from '../../db/outbox/outbox-backlog.ts';
import { insertOutboxMessages } from '../../db/outbox/insert-messages.ts';
import { aClinic, book, inHours } from '../support/clinic.ts';
import { answerWith } from '../support/servers/receiver.ts';
import { until } from '../support/until.ts';
import { createWorkerSurroundings } from '../worker/running-worker.ts';
import { forSuite } from '../support/for-suite.ts';

const PER_SECOND = 4;
const BOOKINGS = 120 * PER_SECOND;
const IMPORTED = 600;

const surroundings = await forSuite(createWorkerSurroundings());
const { database } = surroundings;

/** A booking of this clinic far enough from all others; `nr` says which one. */
async function bookNumber(clinic: Awaited<ReturnType<typeof aClinic>>, nr: number): Promise<string> {
  return (await book(surroundings.database, clinic, { startsAt: inHours(24 + nr) })).id;
}

function count(query: string): Promise<number> {
  return surroundings.namespace.temporal.ask(async (client) => (await client.workflow.count(query)).count);
}

test('in two minutes of steady bookings every appointment gets its timer workflow at once, and its delivery is found by the appointment', async () => {
  const clinic = await aClinic(database);
  const receiver = await surroundings.startReceiver();
  receiver.otherwise(answerWith(200));
  await surroundings.subscribe(clinic.tenantId, receiver.url());
  const { stop } = await surroundings.startWorker();
  const backlogs: number[] = [];
  let booked = 0;
  await evenly(PER_SECOND, BOOKINGS, async () => {
    booked += 1;
    const nr = booked;
    await bookNumber(clinic, nr);
    if (nr % PER_SECOND === 0) backlogs.push((await findOutboxBacklog(database.em())).timers);
  });
  // The bookings of five seconds are the most that may wait at any time.
  expect(Math.max(...backlogs)).toBeLessThanOrEqual(5 * PER_SECOND);
  await until('all deliveries', () => receiver.requests.length >= BOOKINGS);
  const ofClinic = `ClinicId = '${clinic.tenantId}'`;
  await until(
    'all timer workflows',
    async () => (await count(`${ofClinic} AND WorkflowType = 'appointmentNoShow'`)) === BOOKINGS,
  );
  await until('an empty outbox', async () => (await findOutboxBacklog(database.em())).pending === 0);
  const found = `${ofClinic} AND WorkflowType = 'webhookDelivery' AND AppointmentId IS NOT NULL`;
  await until('the list to know', async () => (await count(found)) >= 0.95 * BOOKINGS);
  await stop();
});

test('while an import waits for its timers, another clinic’s bookings have theirs, and a burst of its deliveries starts', async () => {
  const [importing, other] = [await aClinic(database), await aClinic(database)];
  const receiver = await surroundings.startReceiver();
  receiver.otherwise(answerWith(200));
  await surroundings.subscribe(other.tenantId, receiver.url());
  const dueAt = inHours(48).toISOString();
  await database.write((em) =>
    insertOutboxMessages(
      em,
      ...Array.from({ length: IMPORTED }, () => {
        const appointmentId = crypto.randomUUID();
        return { kind: 'startNoShow' as const, appointmentId, clinicId: importing.tenantId, dueAt };
      }),
    ),
  );
  const { stop } = await surroundings.startWorker();
  for (let nr = 0; nr < 5; nr += 1) {
    await bookNumber(other, nr);
    await until('its timer to be started', async () => (await timersOf(other.tenantId)) === 0);
    expect(await timersOf(importing.tenantId)).toBeGreaterThan(0);
  }
  const bursts = `ClinicId = '${other.tenantId}' AND WorkflowType = 'webhookBurst'`;
  await until('a burst', async () => (await count(bursts)) > 0);
  expect(await timersOf(importing.tenantId)).toBeGreaterThan(0);
  await until('all imported timers', async () => (await timersOf(importing.tenantId)) === 0);
  await stop();
});

/** Timers of the clinic that wait to be started. */
async function timersOf(clinicId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM outbox WHERE due_at IS NOT NULL AND message ->> 'clinicId' = ${clinicId}
  `.execute(surroundings.database.em().getKysely());
  return rows[0]?.count ?? 0;
}
