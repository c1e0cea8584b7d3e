import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEndpoint } from '../../commands/webhooks/save-endpoint.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { aClinic, asOperator } from '../support/clinic.ts';
import { createTestDatabase, openDatabaseAt } from '../support/database.ts';
import { createTestAuthority } from '../support/servers/certificates.ts';
import { startReceiver, type Receiver } from '../support/servers/receiver.ts';
import { createTestNamespace, type TestNamespace } from './test-namespace.ts';
import { startWorkerProcess, type WorkerProcess } from './worker-process.ts';
import { TEST_ENCRYPTION_KEY } from '../support/sealing.ts';

/** Worker processes over one database and one namespace, and receivers that they trust. */
export interface WorkerFleet {
  databaseUrl: string;
  database: Database;
  namespace: TestNamespace;
  /** The process, which may not be ready yet. */
  launch(environment?: Record<string, string>): WorkerProcess;
  /** A worker that is ready. */
  start(environment?: Record<string, string>): Promise<WorkerProcess>;
  /** `kill -9`, and waits for the end. */
  kill(worker: WorkerProcess): Promise<void>;
  /** Kills all that still run. */
  killAll(): Promise<void>;
  startReceiver(): Promise<Receiver>;
  /** An endpoint of a clinic of its own at the receiver. */
  anEndpointAt(receiver: Receiver): Promise<{ tenantId: string; endpointId: string }>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** @param templateUrl of another server than the one that all tests share */
export async function createWorkerFleet(templateUrl?: string): Promise<WorkerFleet> {
  const [testDatabase, namespace, authority] = await Promise.all([
    createTestDatabase(templateUrl),
    createTestNamespace(),
    createTestAuthority(),
  ]);
  const database = await openDatabaseAt(testDatabase.url);
  const directory = await mkdtemp(join(tmpdir(), 'workers-'));
  await writeFile(join(directory, 'ca.pem'), authority.caPem);
  const receivers: Receiver[] = [];
  const workers = new Set<WorkerProcess>();
  const usual = {
    DATABASE_URL: testDatabase.url,
    TEMPORAL_ADDRESS: namespace.address,
    TEMPORAL_NAMESPACE: namespace.namespace,
    ENCRYPTION_KEY: TEST_ENCRYPTION_KEY.toString('base64'),
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
    WEBHOOK_CA_FILE: join(directory, 'ca.pem'),
  };
  const fleet: WorkerFleet = {
    databaseUrl: testDatabase.url,
    database,
    namespace,
    launch(environment = {}) {
      const worker = startWorkerProcess({ ...usual, ...environment });
      workers.add(worker);
      return worker;
    },
    async start(environment) {
      const worker = fleet.launch(environment);
      await worker.ready;
      return worker;
    },
    async kill(worker) {
      workers.delete(worker);
      const { child } = worker;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
    async killAll() {
      await Promise.all([...workers].map((worker) => fleet.kill(worker)));
    },
    async startReceiver() {
      const receiver = await startReceiver(await authority.issue());
      receivers.push(receiver);
      return receiver;
    },
    async anEndpointAt(receiver) {
      const { tenantId } = await aClinic(database);
      const input = { tenantId, url: receiver.url(), events: ['*'], description: null };
      const { endpoint } = await database.write((em) => createEndpoint(em, input, asOperator()));
      return { tenantId, endpointId: endpoint.id };
    },
    async [Symbol.asyncDispose]() {
      await fleet.killAll();
      await Promise.all(receivers.map((receiver) => receiver.close()));
      await rm(directory, { recursive: true });
      await namespace.temporal[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      await testDatabase[Symbol.asyncDispose]();
    },
  };
  return fleet;
}
