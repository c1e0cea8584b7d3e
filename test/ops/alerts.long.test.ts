import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ScheduleHandle } from '@temporalio/client';
import { keepSchedules } from '../../adapters/temporal/schedules.ts';
import { evenly } from '../../bench/load/pace.ts';
import { anyPort } from '../../dev/processes/free-port.ts';
import { PROJECT_ROOT } from '../../dev/processes/run-script.ts';
import { RECONCILE_SCHEDULE } from '../../domain/temporal-names.ts';
import { aStartedCall } from '../calls/call-builders.ts';
import { aClinicsKey, audioOf, MEGABYTE, uploadTo } from '../calls/recording-builders.ts';
import { startApiProcess, type ApiProcess } from '../requests/api-process.ts';
import { createApiClient } from '../support/api-client.ts';
import { aClinic, aKey, bookingBody, inHours } from '../support/clinic.ts';
import { until } from '../support/until.ts';
import { anEventFor } from '../webhooks/recorded-attempts.ts';
import { layLine, type CuttableLine } from '../worker/cuttable-line.ts';
import { createWorkerSurroundings, type WorkerSurroundings } from '../worker/running-worker.ts';
import { startWorkerProcess, type WorkerProcess } from '../worker/worker-process.ts';
import { ALERT_RULES_FILE } from './alert-rules.ts';
import { promtool, startPrometheus, type Prometheus } from './prometheus.ts';

/** The tests share the processes, leave them well and run in the order in which they stand. */

/** An hour is asked for by HEALTHY_MINUTES=60. */
const HEALTHY_MINUTES = Number(process.env['HEALTHY_MINUTES'] ?? 2);
const BOOKINGS_PER_SECOND = 5;
const DISK_MEGABYTES = 20;

let surroundings: WorkerSurroundings;
let directory: string;
let ports: { api: number; worker: number };
let toDatabase: CuttableLine;
let toTemporal: CuttableLine;
let api: ApiProcess;
let worker: WorkerProcess;
let prometheus: Prometheus;

beforeAll(async () => {
  surroundings = await createWorkerSurroundings();
  await surroundings.namespace.temporal.ask(keepSchedules);
  directory = await mkdtemp(join(tmpdir(), 'alerts-test-'));
  await writeFile(join(directory, 'ca.pem'), surroundings.authority.caPem);
  ports = { api: await anyPort('127.0.0.1'), worker: await anyPort('127.0.0.1') };
  const database = new URL(surroundings.databaseUrl);
  toDatabase = await layLine(database.host);
  toTemporal = await layLine(surroundings.namespace.address);
  database.host = toDatabase.address;
  api = await startApiProcess(
    database.href,
    { METRICS_PORT: String(ports.api), RATE_LIMITS_DISABLED: 'true' },
    { diskMegabytes: DISK_MEGABYTES },
  );
  worker = await aWorker(surroundings.encryptionKey);
  prometheus = await startPrometheus(ports);
});
afterAll(async () => {
  await prometheus.stop();
  await stopWorker();
  await api.stop();
  await toTemporal.close();
  await toDatabase.close();
  await rm(directory, { recursive: true });
  await surroundings.close();
});

async function aWorker(encryptionKey: string): Promise<WorkerProcess> {
  const started = startWorkerProcess({
    DATABASE_URL: surroundings.databaseUrl,
    TEMPORAL_ADDRESS: toTemporal.address,
    TEMPORAL_NAMESPACE: surroundings.namespace.namespace,
    ENCRYPTION_KEY: encryptionKey,
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
    WEBHOOK_CA_FILE: join(directory, 'ca.pem'),
    METRICS_PORT: String(ports.worker),
  });
  await started.ready;
  return started;
}

async function stopWorker(): Promise<void> {
  worker.child.kill('SIGTERM');
  await worker.ended;
}

async function untilFires(alert: string): Promise<void> {
  await until(`${alert} to fire`, async () => (await prometheus.firing()).includes(alert));
}

async function untilNothingFires(): Promise<void> {
  await until('no alert to fire', async () => (await prometheus.firing()).length === 0);
}

test('promtool finds the rules sound, and each fires for its trouble and for nothing else', async () => {
  expect(await promtool('check', 'rules', ALERT_RULES_FILE)).toContain('SUCCESS');
  expect(await promtool('test', 'rules', join(PROJECT_ROOT, 'ops/alerts.test.yml'))).toContain('SUCCESS');
  expect(await promtool('check', 'config', join(PROJECT_ROOT, 'ops/prometheus.yml'))).toContain('SUCCESS');
});

test(
  'healthy minutes, in which a clinic books and is told of it: no alert is as much as pending',
  async () => {
    const { database } = surroundings;
    const clinic = await aClinic(database);
    const receiver = await surroundings.startReceiver();
    await surroundings.subscribe(clinic.tenantId, receiver.url());
    const client = createApiClient(api.url, await aKey(database, clinic.tenantId));
    const count = BOOKINGS_PER_SECOND * 60 * HEALTHY_MINUTES;
    const statuses = new Set<number>();
    let hour = 24;
    await evenly(BOOKINGS_PER_SECOND, count, async () => {
      statuses.add((await client.post('/v1/appointments', bookingBody(clinic, inHours((hour += 1))))).status);
    });
    expect([...statuses]).toEqual([201]);
    await until('every event', () => receiver.requests.length === count);
    expect(await prometheus.everPending()).toEqual([]);
  },
  (HEALTHY_MINUTES + 5) * 60_000,
);

test('a disk of recordings that is nearly full', async () => {
  const client = createApiClient(api.url, await aClinicsKey(surroundings.databaseUrl));
  await untilNothingFires();
  const large = await aStartedCall(client);
  const uploaded = await uploadTo(client, large, { audio: audioOf(0.95 * DISK_MEGABYTES * MEGABYTE) });
  expect(uploaded.status).toBe(201);
  await untilFires('DiskNearlyFull');
  expect(await prometheus.firing()).toEqual(['DiskNearlyFull']);
  await client.delete(`/v1/calls/${large}/recording`);
  await untilNothingFires();
});

test('a schedule that somebody has paused', async () => {
  const schedule = (act: (handle: ScheduleHandle) => Promise<void>) =>
    surroundings.namespace.temporal.ask((client) => act(client.schedule.getHandle(RECONCILE_SCHEDULE)));
  await untilNothingFires();
  await schedule((handle) => handle.pause());
  await untilFires('SchedulePaused');
  expect(await prometheus.firing()).toEqual(['SchedulePaused']);
  await schedule((handle) => handle.unpause());
  await untilNothingFires();
});

test('a database that does not answer the API', async () => {
  toDatabase.cut();
  await untilFires('DatabaseAway');
  expect(await prometheus.firing()).toEqual(['DatabaseAway']);
  toDatabase.mend();
  await untilNothingFires();
});

test('Temporal is away from the worker', async () => {
  toTemporal.cut();
  await untilFires('TemporalAway');
  expect(await prometheus.firing()).toEqual(['TemporalAway']);
  toTemporal.mend();
  await untilNothingFires();
});

test('the worker is stopped', async () => {
  await stopWorker();
  await untilFires('WorkerDown');
  expect(await prometheus.firing()).toEqual(['WorkerDown']);
});

test('a worker with another ENCRYPTION_KEY', async () => {
  const { tenantId } = await aClinic(surroundings.database);
  const receiver = await surroundings.startReceiver();
  const { endpointId } = await surroundings.subscribe(tenantId, receiver.url());
  worker = await aWorker(randomBytes(32).toString('base64'));
  await untilNothingFires();
  await anEventFor(surroundings.database, { tenantId, endpointId });
  await untilFires('WrongEncryptionKey');
  await stopWorker();
  worker = await aWorker(surroundings.encryptionKey);
  await until('the delivery', () => receiver.requests.length > 0);
});

test('a receiver that is dead', async () => {
  const { tenantId } = await aClinic(surroundings.database);
  expect(await prometheus.firing()).not.toContain('AttemptsFailing');
  const nobody = `https://127.0.0.1:${await anyPort('127.0.0.1')}/`;
  const { endpointId } = await surroundings.subscribe(tenantId, nobody);
  // More and more, beside the many that succeeded a while ago.
  await until('AttemptsFailing to fire', async () => {
    await anEventFor(surroundings.database, { tenantId, endpointId });
    return (await prometheus.firing()).includes('AttemptsFailing');
  });
});

test('the API is stopped', async () => {
  await api.stop();
  await untilFires('ApiDown');
});
