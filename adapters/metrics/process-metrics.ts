import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { createCachedProbe } from '../timing/cached-answer.ts';

/** The load of a connection pool. */
export interface PoolLoad {
  pool: string;
  /** The maximum number of connections. */
  size: number;
  inUse: number;
  /** Callers that wait for a connection. */
  waiting: number;
}

/** The database that every process reports. */
export interface WatchedDatabase {
  load(): { pools: PoolLoad[]; queues: { queue: string; waiting: number }[] };
  /** Throws when the database is unreachable. */
  ping(): Promise<void>;
}

const EVENT_LOOP_PRECISION_MS = 20;

/** Metrics of every process: memory, CPU, event loop, connections, and queues for them. */
export function createProcessRegistry(database: WatchedDatabase): Registry {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS });
  for (const fact of ['size', 'inUse', 'waiting'] as const) createPoolGauge(database, registers, fact);
  const queues = new Gauge({
    name: 'queue_length',
    help: 'Requests that wait for a statement they share with others, or for the turn of their clinic',
    labelNames: ['queue'],
    registers,
    collect() {
      queues.reset();
      for (const { queue, waiting } of database.load().queues) queues.inc({ queue }, waiting);
    },
  });
  const isUp = createCachedProbe(() =>
    database.ping().then(
      () => true,
      () => false,
    ),
  );
  const up = new Gauge({
    name: 'database_up',
    help: 'Whether PostgreSQL answers this process',
    registers,
    async collect() {
      up.set((await isUp()) ? 1 : 0);
    },
  });
  return registry;
}

const POOL_GAUGES = {
  size: { name: 'database_pool_size', help: 'Connections that a pool may hold' },
  inUse: { name: 'database_pool_in_use', help: 'Connections in use' },
  waiting: { name: 'database_pool_waiting', help: 'Callers that wait for a connection' },
};

function createPoolGauge(database: WatchedDatabase, registers: Registry[], fact: keyof typeof POOL_GAUGES) {
  const gauge = new Gauge({
    ...POOL_GAUGES[fact],
    labelNames: ['pool'],
    registers,
    collect() {
      for (const load of database.load().pools) gauge.set({ pool: load.pool }, load[fact]);
    },
  });
}
