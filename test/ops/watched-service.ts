import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepSchedules } from '../../adapters/temporal/schedules.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { anyPort } from '../../dev/processes/free-port.ts';
import { startApiProcess, type ApiProcess } from '../support/servers/api-process.ts';
import { until } from '../support/until.ts';
import { layLine, type CuttableLine } from '../worker/cuttable-line.ts';
import { createWorkerSurroundings, type WorkerSurroundings } from '../worker/running-worker.ts';
import { startWorkerProcess, type WorkerProcess } from '../worker/worker-process.ts';
import { startPrometheus, type Prometheus } from './prometheus.ts';

/** An API and a worker as they run in production, and a Prometheus that looks at them every second. */
export interface WatchedService {
  surroundings: WorkerSurroundings;
  database: Database;
  api: ApiProcess;
  /** Between the API and PostgreSQL. */
  toDatabase: CuttableLine;
  /** Between the worker and Temporal. */
  toTemporal: CuttableLine;
  /** The one that was started last. */
  worker(): WorkerProcess;
  /** @param environment beside that of the first one */
  startWorker(environment?: Record<string, string>): Promise<void>;
  stopWorker(): Promise<void>;
  prometheus: Prometheus;
  untilFires(alert: string): Promise<void>;
  /** Until these fire and no other. */
  untilOnly(...alerts: string[]): Promise<void>;
  untilSilent(alert: string): Promise<void>;
  untilNothingFires(): Promise<void>;
  close(): Promise<void>;
}

export interface WatchedServiceOptions {
  /** The size of the disk of the recordings; without it they lie beside everything else. */
  diskMegabytes?: number;
  workerEnvironment?: Record<string, string>;
  /** An address through which the worker reaches the Temporal at this one. */
  wayToTemporal?: (address: string) => Promise<string>;
}

export async function startWatchedService({
  workerEnvironment = {},
  wayToTemporal = async (address) => address,
  ...limits
}: WatchedServiceOptions = {}): Promise<WatchedService> {
  const surroundings = await createWorkerSurroundings();
  const { namespace, databaseUrl } = surroundings;
  await namespace.temporal.ask(keepSchedules);
  const directory = await mkdtemp(join(tmpdir(), 'alerts-test-'));
  await writeFile(join(directory, 'ca.pem'), surroundings.authority.caPem);
  const ports = { api: await anyPort('127.0.0.1'), worker: await anyPort('127.0.0.1') };
  const toDatabase = await layLine(new URL(databaseUrl).host);
  const toTemporal = await layLine(await wayToTemporal(namespace.address));
  const api = await startApiProcess(
    toDatabase.by(databaseUrl),
    {
      METRICS_PORT: String(ports.api),
      RATE_LIMITS_DISABLED: 'true',
      ENCRYPTION_KEY: surroundings.encryptionKey,
    },
    limits,
  );
  const startWorker = async (environment: Record<string, string> = {}) => {
    const started = startWorkerProcess({
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: toTemporal.address,
      TEMPORAL_NAMESPACE: namespace.namespace,
      ENCRYPTION_KEY: surroundings.encryptionKey,
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
      WEBHOOK_CA_FILE: join(directory, 'ca.pem'),
      METRICS_PORT: String(ports.worker),
      ...workerEnvironment,
      ...environment,
    });
    await started.ready;
    return started;
  };
  let worker = await startWorker();
  const prometheus = await startPrometheus(ports);
  await until('both processes to be scraped', () => prometheus.holds('sum(up) == 2'));
  const stopWorker = async () => {
    worker.child.kill('SIGTERM');
    await worker.ended;
  };
  return {
    surroundings,
    database: surroundings.database,
    api,
    toDatabase,
    toTemporal,
    worker: () => worker,
    async startWorker(environment) {
      worker = await startWorker(environment);
    },
    stopWorker,
    prometheus,
    ...waits(prometheus),
    async close() {
      await prometheus.stop();
      await stopWorker();
      await api.stop();
      await toTemporal.close();
      await toDatabase.close();
      await rm(directory, { recursive: true });
      await surroundings[Symbol.asyncDispose]();
    },
  };
}

function waits(prometheus: Prometheus) {
  const soFar = async () => `what fires: ${(await prometheus.firing()).join(', ') || 'none'}`;
  const waitFor = (awaited: string, look: () => Promise<boolean>) =>
    until(awaited, look).catch(async (error: Error) => {
      throw new Error(`${error.message}; ${await soFar()}`);
    });
  return {
    async untilFires(alert: string) {
      await waitFor(`${alert} to fire`, () => prometheus.isFiring(alert));
    },
    async untilOnly(...alerts: string[]) {
      const wanted = alerts.sort().join();
      await waitFor(`only ${wanted} to fire`, async () => (await prometheus.firing()).join() === wanted);
    },
    async untilSilent(alert: string) {
      await waitFor(`${alert} to fall silent`, async () => !(await prometheus.isFiring(alert)));
    },
    async untilNothingFires() {
      await waitFor('no alert to fire', async () => (await prometheus.firing()).length === 0);
    },
  };
}
