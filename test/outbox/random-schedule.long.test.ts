import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { Client } from 'pg';
import { adminWith } from '../admin/admin-runs.ts';
import type { Receiver } from '../support/servers/receiver.ts';
import { until } from '../support/until.ts';
import { anEventFor } from '../webhooks/recorded-attempts.ts';
import { layLine, type CuttableLine } from '../worker/cuttable-line.ts';
import { createWorkerFleet, type WorkerFleet } from '../worker/worker-fleet.ts';
import type { WorkerProcess } from '../worker/worker-process.ts';

/** `SCHEDULE_SECONDS=1200 SCHEDULE_SEED=7 npm run faults -- test/outbox/random-schedule`: twenty minutes of a schedule once seen. */
const SECONDS = Number(process.env['SCHEDULE_SECONDS'] ?? 60);
const SEED = Number(process.env['SCHEDULE_SEED'] ?? randomInt(1_000_000));
/** The schedule and the rest after it. */
const LIMIT_MS = (SECONDS + 240) * 1000;
const EVENT_EVERY_MS = 50;
/** Longer than a lease, shorter than the statements that write events may take. */
const LONGEST_MS = 7000;
/** Until what was sent before a stop has been read by the receiver. */
const ARRIVES_WITHIN_MS = 300;

let fleet: WorkerFleet;
let line: CuttableLine;
let receiver: Receiver;
const workers: WorkerProcess[] = [];
/** Events whose attempt was under way, or not recorded, when a worker was killed or frozen. */
const mayRepeat = new Set<string>();

beforeAll(async () => {
  fleet = await createWorkerFleet();
  line = await layLine(fleet.namespace.address);
  receiver = await fleet.startReceiver();
});
afterAll(async () => {
  await fleet.killAll();
  await line.close();
  await fleet.close();
});

/** The same numbers from 0 to 1 for the same seed: a linear congruential generator. */
function chanceOf(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
}

function launch(): WorkerProcess {
  return fleet.launch({ TEMPORAL_ADDRESS: line.address });
}

async function noteUnrecorded(): Promise<void> {
  await delay(ARRIVES_WITHIN_MS);
  const { rows } = await sql<{ eventId: string }>`
    SELECT event_id AS "eventId" FROM webhook_delivery WHERE attempt_count = 0
  `.execute(fleet.database.em().getKysely());
  const sent = new Set(eventIds());
  for (const { eventId } of rows) if (sent.has(eventId)) mayRepeat.add(eventId);
}

function eventIds(): string[] {
  return receiver.requests.map(({ headers }) => String(headers['x-service-event-id']));
}

type Fault = (ms: number, worker: number) => Promise<unknown>;

const FAULTS: Record<string, Fault> = {
  async lock(ms) {
    const holder = new Client({ connectionString: fleet.databaseUrl, application_name: 'holder' });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE outbox IN SHARE MODE');
    await delay(ms);
    await holder.end();
  },
  async kill(_ms, worker) {
    const victim = workers[worker];
    if (victim) await fleet.kill(victim);
    await noteUnrecorded();
    workers[worker] = launch();
  },
  async freeze(ms, worker) {
    const { child } = workers[worker] ?? {};
    child?.kill('SIGSTOP');
    await noteUnrecorded();
    await delay(ms);
    child?.kill('SIGCONT');
  },
  async cutTemporal(ms) {
    line.cut();
    await delay(ms);
    line.mend();
  },
  endConnections: () =>
    fleet.database.em().execute(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name LIKE 'worker%'`,
    ),
};

async function load(signal: AbortSignal): Promise<number> {
  const places = [await fleet.anEndpointAt(receiver), await fleet.anEndpointAt(receiver)];
  let events = 0;
  while (!signal.aborted) {
    for (const place of places) await anEventFor(fleet.database, place);
    events += places.length;
    await delay(EVENT_EVERY_MS * places.length);
  }
  return events;
}

async function doctorSays(): Promise<{ name: string; ok: boolean; detail: string }[]> {
  const { address, namespace } = fleet.namespace;
  const admin = adminWith({
    SERVICE_MODE: 'test',
    DATABASE_URL: fleet.databaseUrl,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
  });
  return (
    JSON.parse((await admin('doctor')).stdout) as { checks: { name: string; ok: boolean; detail: string }[] }
  ).checks;
}

test(
  `whatever happens, everything arrives, and nothing twice that was not under way (seed ${SEED})`,
  async () => {
    process.stderr.write(`SCHEDULE_SEED=${SEED} SCHEDULE_SECONDS=${SECONDS}\n`);
    const chance = chanceOf(SEED);
    receiver.otherwise((response) => setTimeout(() => response.writeHead(200).end(), 200));
    workers.push(launch(), launch());
    const stopping = new AbortController();
    const loading = load(stopping.signal);
    const endsAt = performance.now() + SECONDS * 1000;
    while (performance.now() < endsAt) {
      const name = Object.keys(FAULTS)[Math.floor(chance() * Object.keys(FAULTS).length)] ?? 'kill';
      const [ms, worker] = [1000 + chance() * LONGEST_MS, Math.floor(chance() * workers.length)];
      await FAULTS[name]?.(ms, worker);
      await delay(chance() * 3000);
    }
    stopping.abort();
    const events = await loading;

    const open = async () => {
      const { rows } = await sql`SELECT FROM outbox`.execute(fleet.database.em().getKysely());
      return rows.length;
    };
    await until('an empty outbox', async () => (await open()) === 0);
    const { rows } = await sql`
    SELECT status, attempt_count AS attempts, count(*)::integer AS count FROM webhook_delivery GROUP BY 1, 2
  `.execute(fleet.database.em().getKysely());
    expect(rows).toEqual([{ status: 'succeeded', attempts: 1, count: events }]);
    const sent = Map.groupBy(eventIds(), (id) => id);
    expect(sent.size).toBe(events);
    const repeated = [...sent].flatMap(([id, times]) => (times.length > 1 ? id : []));
    expect(repeated.filter((id) => !mayRepeat.has(id))).toEqual([]);
    const ill = (await doctorSays()).filter(({ name, ok }) => !ok && /outbox|deliveries/.test(name));
    expect(ill).toEqual([]);
  },
  LIMIT_MS,
);
