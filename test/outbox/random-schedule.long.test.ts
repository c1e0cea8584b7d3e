import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { adminWith } from '../admin/admin-runs.ts';
import { startOwnPostgres } from '../support/environment/test-postgres.ts';
import type { Behaviour } from '../support/servers/receiver.ts';
import { until } from '../support/until.ts';
import { anEventFor } from '../webhooks/recorded-attempts.ts';
import { createWorkerFleet } from '../worker/worker-fleet.ts';
import { startFaultyService, type FaultOptions, type FaultyService } from './scheduled-faults.ts';
import { forSuite } from '../support/for-suite.ts';

/** `SCHEDULE_SECONDS=1200 SCHEDULE_SEED=7 npm run faults -- test/outbox/random-schedule`: twenty minutes of a schedule once seen. */
const SECONDS = Number(process.env['SCHEDULE_SECONDS'] ?? 60);
const SEED = Number(process.env['SCHEDULE_SEED'] ?? randomInt(1_000_000));
/** The schedule and the rest after it. */
const LIMIT_MS = (2 * SECONDS + 240) * 1000;
const EVENT_EVERY_MS = 50;
/** Longer than a lease, shorter than the statements that write events may take. */
const MAX_MS = 7000;
const ANSWERS_AFTER_MS = 200;
/** Another receiver is slow, and gets one event in so many. */
const SLOW = { leastMs: 5000, mostMs: 9000, oneIn: 20 };
/** What an attempt may begin by, the POST and its answer: until then all that a worker had under way has been received. */
const ARRIVES_WITHIN_MS = 1000;
const RETRY_DELAYS_SECONDS = [2, 4, 8, 16, 30];

let service: FaultyService;
/** Attempts that were under way, or not recorded, when a worker ended or stood still. */
const mayRepeat = new Set<string>();

// What is committed must outlive a server that is killed.
const postgres = await forSuite(startOwnPostgres({ synchronous_commit: 'on' }));
const fleet = await forSuite(createWorkerFleet(postgres.templateUrl));
const receiver = await fleet.startReceiver();
const places = [await fleet.anEndpointAt(receiver), await fleet.anEndpointAt(receiver)];
const slow = await fleet.startReceiver();
const slowPlace = await fleet.anEndpointAt(slow);
afterAll(() => service.close());

/** The same numbers from 0 to 1 for the same seed: a linear congruential generator. */
function chanceOf(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
}

function requests() {
  return [...receiver.requests, ...slow.requests];
}

function attemptsSent(): { eventId: string; number: number }[] {
  return requests().map(({ headers }) => ({
    eventId: String(headers['x-service-event-id']),
    number: Number(headers['x-service-attempt']),
  }));
}

async function rowsOf<Row>(statement: ReturnType<typeof sql<Row>>): Promise<Row[]> {
  return (await statement.execute(fleet.database.em().getKysely())).rows;
}

/** When an attempt arrived, each time, and what is recorded of its delivery. */
async function toldOf(attempt: string): Promise<unknown> {
  const [eventId = '', number] = attempt.split(' ');
  const arrived = requests().flatMap(({ headers, receivedAt }) =>
    headers['x-service-event-id'] === eventId && headers['x-service-attempt'] === number ? receivedAt : [],
  );
  const recorded = await rowsOf(sql`
    SELECT delivery.id, delivery.created_at, attempt.number, attempt.started_at, attempt.duration_ms, attempt.outcome, attempt.error_class
    FROM webhook_delivery delivery JOIN webhook_attempt attempt ON attempt.delivery_id = delivery.id
    WHERE delivery.event_id = ${eventId}
  `);
  return { attempt, arrived, recorded };
}

/** While the database is away, it is asked until it answers. */
async function noteUnrecorded(): Promise<void> {
  await delay(ARRIVES_WITHIN_MS);
  const sent = attemptsSent();
  const open = await until('the database to tell', () =>
    rowsOf(sql<{ eventId: string; attempts: number }>`
      SELECT event_id AS "eventId", attempt_count AS attempts FROM webhook_delivery WHERE status <> 'succeeded'
    `).catch(() => null),
  );
  const recorded = new Map(open.map(({ eventId, attempts }) => [eventId, attempts]));
  for (const { eventId, number } of sent)
    if (number > (recorded.get(eventId) ?? Infinity)) mayRepeat.add(`${eventId} ${number}`);
}

/** One event in eight fails once or twice before it is taken. */
function failuresOf(eventId: string): number {
  const digit = parseInt(eventId.slice(-2), 16) % 16;
  return digit < 2 ? digit + 1 : 0;
}

function answerAfter(waitMs: () => number): Behaviour {
  return (response, { headers }) => {
    const isTaken = Number(headers['x-service-attempt']) > failuresOf(String(headers['x-service-event-id']));
    setTimeout(() => response.writeHead(isTaken ? 200 : 503).end(), waitMs());
  };
}

/** Returns the ids of the events that the database has taken. */
async function load(signal: AbortSignal): Promise<string[]> {
  const taken: string[] = [];
  for (let round = 0; !signal.aborted; round += 1) {
    for (const place of round % SLOW.oneIn === 0 ? [...places, slowPlace] : places) {
      const delivery = await anEventFor(fleet.database, place).catch(() => null);
      if (delivery) taken.push(delivery.eventId);
    }
    await delay(EVENT_EVERY_MS * places.length);
  }
  return taken;
}

/** One fault after the other, until the end. */
async function befall(faults: FaultyService['ofWorkers'], seed: number, endsAt: number): Promise<void> {
  const chance = chanceOf(seed);
  while (performance.now() < endsAt) {
    const name = Object.keys(faults)[Math.floor(chance() * Object.keys(faults).length)] ?? 'kill';
    const options: FaultOptions = {
      ms: 1000 + chance() * MAX_MS,
      worker: chance() < 0.5 ? 0 : 1,
      choice: chance(),
    };
    process.stderr.write(`${new Date().toISOString()} ${name} ${JSON.stringify(options)}\n`);
    // One that needs the database cannot befall it while another keeps it away.
    await faults[name]?.(options).catch(() => undefined);
    await delay(chance() * 3000);
  }
}

async function allAreRight(): Promise<unknown[]> {
  const { address, namespace } = fleet.namespace;
  const admin = adminWith({
    SERVICE_MODE: 'test',
    DATABASE_URL: fleet.databaseUrl,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    WEBHOOK_RETRY_DELAYS_SECONDS: RETRY_DELAYS_SECONDS.join(),
  });
  const { checks } = JSON.parse((await admin('doctor')).stdout) as { checks: { ok: boolean }[] };
  return checks.filter(({ ok }) => !ok);
}

/** Attempts that began sooner than the schedule says after the end of the ones before, or in another order. */
function attemptsTooEarly(): Promise<unknown[]> {
  return rowsOf(sql`
    SELECT attempt.delivery_id, attempt.number
    FROM webhook_attempt attempt
    LEFT JOIN webhook_attempt earlier
      ON earlier.delivery_id = attempt.delivery_id AND earlier.number = attempt.number - 1
    WHERE attempt.number > 1
      AND (
        earlier.number IS NULL
        OR attempt.started_at < earlier.started_at + make_interval(
          secs => (${RETRY_DELAYS_SECONDS}::integer[])[earlier.number] + earlier.duration_ms / 1000.0
        )
      )
  `);
}

/** However slow the machine, and however long the backlog, something of it ends within two minutes. */
async function untilAtRest(): Promise<void> {
  for (let left = await countUnfinished(); left > 0;) {
    const before = left;
    const next = await until('one delivery less to finish', async () => {
      const now = await countUnfinished();
      return now < before && { now };
    }).catch(async (error: Error) => {
      throw new Error(`${error.message}: ${JSON.stringify(await leftOver())}`);
    });
    left = next.now;
  }
}

async function countUnfinished(): Promise<number> {
  const [open] = await rowsOf(sql<{ count: number }>`
    SELECT (SELECT count(*) FROM outbox)::integer
      + (SELECT count(*) FROM webhook_delivery WHERE status IN ('pending', 'retrying'))::integer AS count
  `);
  const { count } = await fleet.namespace.temporal.ask((client) =>
    client.workflow.count(`WorkflowType = 'webhookDelivery' AND ExecutionStatus = 'Running'`),
  );
  return (open?.count ?? 0) + count;
}

/** What is not over, by what stands in its way. */
function leftOver(): Promise<unknown[]> {
  return rowsOf(sql`
    SELECT outbox.message ->> 'kind' AS kind, outbox.available_at = 'infinity' AS waits, outbox.failures, outbox.last_error,
      lease.worker_id IS NOT NULL AS served, delivery.status, delivery.attempt_count, delivery.next_attempt_at < now() AS due,
      count(*)::integer, min(outbox.id) AS first_row, min(delivery.workflow_id) AS workflow
    FROM webhook_delivery delivery
    FULL JOIN outbox ON outbox.message ->> 'deliveryId' = delivery.id::text
    LEFT JOIN worker_lease lease ON lease.worker_id = outbox.claimed_by
    WHERE outbox.id IS NOT NULL OR delivery.status IN ('pending', 'retrying')
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
  `);
}

test(
  `whatever happens, everything arrives, and nothing twice that was not under way (seed ${SEED})`,
  async () => {
    process.stderr.write(`SCHEDULE_SEED=${SEED} SCHEDULE_SECONDS=${SECONDS}\n`);
    receiver.otherwise(answerAfter(() => ANSWERS_AFTER_MS));
    const chance = chanceOf(SEED + 2);
    slow.otherwise(answerAfter(() => SLOW.leastMs + chance() * (SLOW.mostMs - SLOW.leastMs)));
    service = await startFaultyService({
      fleet,
      postgres,
      environment: { WEBHOOK_RETRY_DELAYS_SECONDS: RETRY_DELAYS_SECONDS.join() },
      onStop: noteUnrecorded,
    });
    const stopping = new AbortController();
    const loading = load(stopping.signal);
    const endsAt = performance.now() + SECONDS * 1000;
    await Promise.all([
      befall(service.ofWorkers, SEED, endsAt),
      befall(service.ofSurroundings, SEED + 1, endsAt),
    ]);
    stopping.abort();
    const taken = await loading;
    await untilAtRest();

    const rows = await rowsOf(sql<{ eventId: string; status: string }>`
      SELECT event_id AS "eventId", status FROM webhook_delivery
    `);
    expect(rows.filter(({ status }) => status !== 'succeeded')).toEqual([]);
    const [there, received] = [new Set(rows.map(({ eventId }) => eventId)), new Set<string>()];
    expect(taken.filter((eventId) => !there.has(eventId))).toEqual([]);
    const times = Map.groupBy(attemptsSent(), ({ eventId, number }) => `${eventId} ${number}`);
    for (const [{ eventId } = { eventId: '' }] of times.values()) received.add(eventId);
    expect(rows.filter(({ eventId }) => !received.has(eventId))).toEqual([]);
    const repeated = [...times].flatMap(([attempt, { length }]) => (length > 1 ? attempt : []));
    const unexplained = repeated.filter((attempt) => !mayRepeat.has(attempt));
    expect(await Promise.all(unexplained.map(toldOf))).toEqual([]);
    expect(await attemptsTooEarly()).toEqual([]);
    expect(await allAreRight()).toEqual([]);
  },
  LIMIT_MS,
);
