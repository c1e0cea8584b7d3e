import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { clockOffBy } from '../support/shift-clock.ts';
import type { startOwnPostgres } from '../support/environment/test-postgres.ts';
import { layLine, type CuttableLine } from '../worker/cuttable-line.ts';
import type { WorkerFleet } from '../worker/worker-fleet.ts';
import type { WorkerProcess } from '../worker/worker-process.ts';

/** What a fault is told: for how long, which worker, and what chance has chosen beside. */
export interface FaultOptions {
  ms: number;
  worker: number;
  /** From 0 to 1. */
  choice: number;
}

type Fault = (options: FaultOptions) => Promise<unknown>;

export interface HandlerContext {
  fleet: WorkerFleet;
  postgres: Awaited<ReturnType<typeof startOwnPostgres>>;
  environment: Record<string, string>;
  /** A worker ends, or stands still: what it has under way may be made again. */
  onStop: () => Promise<unknown>;
}

const WORKERS = 2;
/** Of a worker's clock to all others. */
const CLOCKS_OFF_BY_MS = [-10_000, 0, 10_000];
const LOCKED_TABLES = ['outbox', 'worker_lease', 'webhook_delivery', 'webhook_attempt', 'webhook_endpoint'];

/** Two workers, each with lines of its own, and all that may befall them. */
export interface FaultyService {
  ofWorkers: Record<string, Fault>;
  ofSurroundings: Record<string, Fault>;
  close(): Promise<void>;
}

export async function startFaultyService(surroundings: HandlerContext): Promise<FaultyService> {
  const { fleet, postgres } = surroundings;
  const toTemporal = await layLine(fleet.namespace.address);
  const toDatabase = await Promise.all(
    Array.from({ length: WORKERS }, () => layLine(new URL(fleet.databaseUrl).host)),
  );
  const workers = keepWorkers(surroundings, toTemporal, toDatabase);
  /** One worker's line, or both. */
  const linesBy = ({ choice, worker }: FaultOptions) =>
    choice < 0.5 ? toDatabase : toDatabase.filter((_, at) => at === worker);
  return {
    ofWorkers: workers.faults,
    ofSurroundings: {
      lock: ({ ms, choice }) =>
        inTransaction(fleet, ms, `LOCK TABLE ${chosen(LOCKED_TABLES, choice)} IN SHARE MODE`),
      createIndex: ({ ms }) => inTransaction(fleet, ms, `CREATE INDEX ON outbox ((message ->> 'kind'))`),
      endConnections: () => endConnections(fleet),
      cutTemporal: ({ ms }) => disturb([toTemporal], 'cut', ms),
      cutDatabase: (options) => disturb(linesBy(options), 'cut', options.ms),
      async hushDatabase(options) {
        // What is answered meanwhile cannot be written down, and waits in silence.
        const noted = surroundings.onStop();
        await disturb(linesBy(options), 'hush', options.ms);
        await noted;
      },
      async stopDatabase({ ms, choice }) {
        await postgres.stop(choice < 0.5 ? 'immediate' : 'fast');
        await delay(ms);
        await postgres.start();
      },
    },
    async close() {
      await workers.end();
      for (const line of [toTemporal, ...toDatabase]) await line.close();
    },
  };
}

/** Starts each worker again whenever it ends. */
function keepWorkers(
  { fleet, environment, onStop }: HandlerContext,
  toTemporal: CuttableLine,
  toDatabase: CuttableLine[],
) {
  const running: WorkerProcess[] = [];
  const clocksOffByMs = toDatabase.map(() => 0);
  let isOver = false;
  const keep = async (at: number): Promise<void> => {
    const clock = clockOffBy(clocksOffByMs[at] ?? 0);
    const lines = {
      DATABASE_URL: toDatabase[at]?.by(fleet.databaseUrl) ?? '',
      TEMPORAL_ADDRESS: toTemporal.address,
    };
    const worker = fleet.launch({ ...environment, ...clock, ...lines });
    running[at] = worker;
    await worker.ended;
    if (isOver) return;
    await onStop();
    void keep(at);
  };
  toDatabase.forEach((_, at) => void keep(at));
  const signal = (name: NodeJS.Signals, at: number) => running[at]?.child.kill(name);
  const end: (name: NodeJS.Signals) => Fault =
    (name) =>
    async ({ worker, choice }) => {
      clocksOffByMs[worker] = chosen(CLOCKS_OFF_BY_MS, choice);
      const child = running[worker]?.child;
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      signal(name, worker);
      await ended;
    };
  const freeze = async (which: number[], ms: number) => {
    for (const at of which) signal('SIGSTOP', at);
    const noted = onStop();
    await delay(ms);
    for (const at of which) signal('SIGCONT', at);
    await noted;
  };
  const faults: Record<string, Fault> = {
    kill: end('SIGKILL'),
    restart: end('SIGTERM'),
    freeze: ({ ms, worker }) => freeze([worker], ms),
    freezeAll: ({ ms }) => freeze([...running.keys()], ms),
    killAll: (options) =>
      Promise.all([...running.keys()].map((worker) => end('SIGKILL')({ ...options, worker }))),
  };
  return {
    faults,
    end() {
      isOver = true;
      return fleet.killAll();
    },
  };
}

async function inTransaction({ databaseUrl }: WorkerFleet, ms: number, statement: string): Promise<void> {
  const holder = new Client({ connectionString: databaseUrl, application_name: 'holder' });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query(statement);
  await delay(ms);
  await holder.query('ROLLBACK');
  await holder.end();
}

function endConnections({ database }: WorkerFleet): Promise<unknown> {
  return database.em().execute(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE 'worker%'`,
  );
}

async function disturb(lines: CuttableLine[], how: 'cut' | 'hush', ms: number): Promise<void> {
  for (const line of lines) line[how]();
  await delay(ms);
  for (const line of lines) line.mend();
}

function chosen<T>(from: readonly T[], choice: number): T {
  const one = from[Math.floor(choice * from.length)];
  if (one === undefined) throw new Error('there is nothing to choose from');
  return one;
}
