import { NativeConnection } from '@temporalio/worker';
import type { Sealing } from '../../domain/encryption/clinic-ciphers.ts';
import type { Logger } from '../../adapters/logs/logger.ts';
import type { Mailer } from '../../adapters/mail/mailer.ts';
import { createWebhookClient } from '../../adapters/webhooks/webhook-client.ts';
import { createEndpoint } from '../../commands/webhooks/save-endpoint.ts';
import { openDatabase, type Database } from '../../db/connection/open-database.ts';
import { STANDARD_RETENTION } from '../../domain/retention.ts';
import { STANDARD_TIMINGS, type Timings } from '../../domain/timings.ts';
import { cachedWorkflowBundle } from '../../worker/bundle/bundle-cache.ts';
import { createWorkerMetrics, type WorkerMetrics } from '../../worker/metrics/worker-metrics.ts';
import { installTemporalRuntime } from '../../worker/temporal-runtime.ts';
import type { PatientMails } from '../../worker/patient-mails.ts';
import { TemporalDoor } from '../../worker/temporal/temporal-door.ts';
import { patientPageAddress } from '../../domain/appointments/patient-link.ts';
import { startServiceWorker, type ServiceWorker } from '../../worker/worker.ts';
import { createTestAuthority, type TestAuthority } from '../support/servers/certificates.ts';
import { asOperator } from '../support/clinic.ts';
import { createTestDatabase } from '../support/database.ts';
import { startReceiver, type Receiver } from '../support/servers/receiver.ts';
import { testLogger } from '../support/test-logger.ts';
import { createTestNamespace, type TestNamespace } from './test-namespace.ts';
import { TEST_ENCRYPTION_KEY, TEST_SEALING } from '../support/sealing.ts';

/** What a suite of worker tests stands on: a database, a Temporal namespace, a trusted certificate authority. */
export interface WorkerSurroundings {
  databaseUrl: string;
  database: Database;
  namespace: TestNamespace;
  /** As processes are told it. */
  encryptionKey: string;
  authority: TestAuthority;
  /** `address`: another way to Temporal, such as a line that can be cut. */
  startWorker(options?: {
    address?: string;
    timings?: Partial<Timings>;
    mailer?: Mailer;
    patientMails?: PatientMails;
    logger?: Logger;
    /** Another one than the endpoints' secrets were encrypted with. */
    sealing?: Sealing;
  }): Promise<RunningWorker>;
  startReceiver(): Promise<Receiver>;
  /** An endpoint with a secret, at the receiver. */
  subscribe(
    tenantId: string,
    url: string,
    events?: string[],
  ): Promise<{ endpointId: string; secret: string }>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface RunningWorker {
  worker: ServiceWorker;
  metrics: WorkerMetrics;
  stop(): Promise<void>;
}

/**
 * @param sharedDatabaseUrl another one's database, in place of one of its own
 * @param timings by which the suite itself books; those of a worker are its own
 */
export async function createWorkerSurroundings(
  sharedDatabaseUrl?: string,
  timings?: Timings,
): Promise<WorkerSurroundings> {
  const logger = testLogger();
  const [testDatabase, namespace, authority, workflowBundle] = await Promise.all([
    sharedDatabaseUrl === undefined
      ? createTestDatabase()
      : { url: sharedDatabaseUrl, [Symbol.asyncDispose]: () => Promise.resolve() },
    createTestNamespace(),
    createTestAuthority(),
    cachedWorkflowBundle({ signal: new AbortController().signal, logger }),
  ]);
  const databaseUrl = testDatabase.url;
  const own = { sealing: TEST_SEALING, applicationName: 'test', ...(timings && { timings }) };
  const database = await openDatabase({ ...own, url: databaseUrl });
  const receivers: Receiver[] = [];
  const workers = new Set<RunningWorker>();
  // It ends with the last worker; without any it would keep the process from ending.
  const installRuntime = onlyOnce(() => installTemporalRuntime(logger));

  return {
    databaseUrl,
    database,
    namespace,
    encryptionKey: TEST_ENCRYPTION_KEY.toString('base64'),
    authority,
    async startWorker({ address, timings, mailer, patientMails, logger: own, sealing = TEST_SEALING } = {}) {
      installRuntime();
      const connection = await NativeConnection.connect({ address: address ?? namespace.address });
      const ownDatabase = await openDatabase({
        sealing,
        timings: { ...STANDARD_TIMINGS, ...timings },
        url: databaseUrl,
        applicationName: 'test worker',
      });
      const webhookClient = createWebhookClient({
        allowedCidrs: ['127.0.0.0/8', '::1/128'],
        extraCaPem: authority.caPem,
      });
      const temporal = new TemporalDoor();
      const metrics = createWorkerMetrics({
        database: ownDatabase,
        temporal,
        readSdkMetrics: async () => '',
      });
      const worker = startServiceWorker({
        temporal,
        dashboardUrl: 'https://dashboard.example',
        patientUrlOf: patientPageAddress([TEST_ENCRYPTION_KEY], 'https://dashboard.example'),
        workflows: { areChangesHeld: false, startsPerSecond: 20 },
        databaseUrl,
        database: ownDatabase,
        webhookClient,
        mailer: mailer ?? null,
        patientMails: patientMails ?? null,
        retention: STANDARD_RETENTION,
        logger: own ?? logger,
        clock: () => new Date(),
        tracing: null,
        ...metrics,
      });
      await worker.join({ connection, namespace: namespace.namespace, workflowBundle });
      const running: RunningWorker = {
        worker,
        metrics,
        async stop() {
          workers.delete(running);
          await worker.stop();
          await webhookClient.close();
          await connection.close();
          await ownDatabase[Symbol.asyncDispose]();
        },
      };
      workers.add(running);
      return running;
    },
    async startReceiver() {
      const receiver = await startReceiver(await authority.issue());
      receivers.push(receiver);
      return receiver;
    },
    async subscribe(tenantId, url, events = ['*']) {
      const input = { tenantId, url, events, description: null };
      const { endpoint, secret } = await database.write((em) => createEndpoint(em, input, asOperator()));
      return { endpointId: endpoint.id, secret };
    },
    async [Symbol.asyncDispose]() {
      for (const worker of workers) await worker.stop();
      await Promise.all(receivers.map((receiver) => receiver.close()));
      await namespace.temporal[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      await testDatabase[Symbol.asyncDispose]();
    },
  };
}

function onlyOnce(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}
