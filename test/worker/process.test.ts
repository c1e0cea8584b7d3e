import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { msToTs } from '@temporalio/common/lib/time.js';
import { connectTemporal } from '../../adapters/temporal/connect-temporal.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { realTemporal } from '../support/temporal.ts';
import { until } from '../support/until.ts';
import { layLine } from './cuttable-line.ts';
import { createTestNamespace, type TestNamespace } from './test-namespace.ts';
import { startWorkerProcess, type WorkerProcess } from './worker-process.ts';

let database: TestDatabase;
let namespace: TestNamespace;
const started: WorkerProcess[] = [];

beforeAll(async () => {
  [database, namespace] = await Promise.all([createTestDatabase(), createTestNamespace()]);
});
afterEach(() => {
  for (const { child } of started) if (child.exitCode === null) child.kill('SIGKILL');
});
afterAll(async () => {
  await namespace.temporal[Symbol.asyncDispose]();
  await database.drop();
});

function start(environment: Record<string, string> = {}): WorkerProcess {
  const worker = startWorkerProcess({
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: namespace.address,
    TEMPORAL_NAMESPACE: namespace.namespace,
    ...environment,
  });
  started.push(worker);
  return worker;
}

test.each(['SIGTERM', 'SIGINT'] as const)('it works until %s, then ends in order', async (signal) => {
  const worker = start();
  await worker.ready;
  worker.child.kill(signal);
  expect(await worker.ended).toBe(0);
  expect(worker.output()).toContain('worker.stopped');
});

test('it ends when the process that started it is gone', async () => {
  const worker = start();
  await worker.ready;
  worker.child.disconnect();
  expect(await worker.ended).toBe(0);
});

test('it waits for a Temporal that is away, says so, and can be stopped meanwhile', async () => {
  const line = await layLine(namespace.address);
  line.cut();
  const [patient, stopped] = [
    start({ TEMPORAL_ADDRESS: line.address }),
    start({ TEMPORAL_ADDRESS: line.address }),
  ];
  for (const { output } of [patient, stopped]) {
    await until('a word about Temporal', () => output().includes('temporal.away'));
  }
  stopped.child.kill('SIGTERM');
  expect(await stopped.ended).toBe(0);
  line.mend();
  await patient.ready;
  patient.child.kill('SIGTERM');
  expect(await patient.ended).toBe(0);
  await line.close();
});

test('it refuses a namespace that lacks search attributes, and names them', async () => {
  const bare = `bare-${namespace.namespace}`;
  const temporal = connectTemporal({ namespace: bare, connection: { address: realTemporal().address } });
  await temporal.connection.workflowService.registerNamespace({
    namespace: bare,
    workflowExecutionRetentionPeriod: msToTs('1 day'),
  });
  await temporal[Symbol.asyncDispose]();
  const worker = start({ TEMPORAL_NAMESPACE: bare });
  expect(await worker.ended).toBe(1);
  expect(worker.output()).toContain('ClinicId');
  expect(worker.output()).toContain('temporal:setup');
});

test('a bad environment ends it at once, with every problem named', async () => {
  const worker = start({ SERVICE_MODE: 'demo', DATABASE_URL: 'mysql://secret@db', METRICS_PORT: '0' });
  expect(await worker.ended).toBe(1);
  for (const name of ['SERVICE_MODE', 'DATABASE_URL', 'METRICS_PORT'])
    expect(worker.output()).toContain(`${name}: `);
  expect(worker.output()).not.toContain('secret');
});
