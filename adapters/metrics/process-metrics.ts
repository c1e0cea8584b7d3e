import { collectDefaultMetrics, Gauge, Registry } from '@prometheus-io/client';
import { createCachedProbe } from '../timing/cached-answer.ts';

/** The load of a connection pool. */
export interface PoolLoad {
  pool: string;
  /** The maximum number of connections. */
  size: number;
  inUse: number;
  /** Requests and tasks that wait for a connection of a pool. */
  waiting: number;
}

/** The database whose availability every process reports. */
export interface WatchedDatabase {
  load(): { pools: PoolLoad[]; queues: { queue: string; waiting: number }[] };
  /** Throws when the database is unreachable. */
  ping(): Promise<void>;
}

const EVENT_LOOP_PRECISION_MS = 20;
const EVENT_LOOP_UTILIZATION_MS = 1000;

/** The metrics of every process: memory, CPU, event loop, connections, and the queues for connections. */
export function createProcessRegistry(database: WatchedDatabase): Registry {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({
    register: registry,
    eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS,
    eventLoopUtilizationTimeout: EVENT_LOOP_UTILIZATION_MS,
  });
  for (const fact of ['size', 'inUse', 'waiting'] as const) createPoolGauge(database, registers, fact);
  const queues = new Gauge({
    name: 'queue_length',
    help: 'Requests that wait to be processed in a batch with other requests, or for their clinic’s turn',
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
    help: 'Whether PostgreSQL responds to this process',
    registers,
    async collect() {
      up.set((await isUp()) ? 1 : 0);
    },
  });
  return registry;
}

const POOL_GAUGES = {
  size: { name: 'database_pool_size', help: 'Maximum number of connections in a pool' },
  inUse: { name: 'database_pool_in_use', help: 'Connections of a pool that are in use' },
  waiting: { name: 'database_pool_waiting', help: 'Requests and tasks that wait for a connection of a pool' },
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
