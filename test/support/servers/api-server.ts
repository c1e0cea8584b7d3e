import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UnreadBytes } from '../../../adapters/connections/unread-bytes.ts';
import { createLogger } from '../../../adapters/logs/logger.ts';
import { createPhoneHash } from '../../../adapters/phones/phone-hash.ts';
import { openFileStorage } from '../../../adapters/recordings/open-recording-storage.ts';
import { createWebhookUrlCheck } from '../../../adapters/webhooks/webhook-url.ts';
import type { ApiDependencies } from '../../../api/api-dependencies.ts';
import { createApi } from '../../../api/app.ts';
import { createApiMetrics, type ApiMetrics } from '../../../api/metrics/api-metrics.ts';
import { startRequestRecorder } from '../../../api/request-log/request-recorder.ts';
import { createDocuments } from '../../../api/specification/documents.ts';
import { startServer } from '../../../api/server.ts';
import { createApiKey } from '../../../commands/clinic/create-api-key.ts';
import { startReadRecorder } from '../../../commands/patient-reads/read-recorder.ts';
import type { Database } from '../../../db/connection/open-database.ts';
import { SCOPES, type Scope } from '../../../domain/clinic/api-scopes.ts';
import { createRecordingLinks } from '../../../domain/calls/recording-link.ts';
import { createApiClient, type ApiClient } from '../api-client.ts';
import { aClinic, asOperator, type TestClinic } from '../clinic.ts';
import { createTestDatabase, type TestDatabase, openDatabaseAt } from '../database.ts';
import { forSuite } from '../for-suite.ts';
import { linesTo } from '../test-logger.ts';
import { TEST_SEALING } from '../sealing.ts';

/** What the API of a test encrypts with. */
export const TEST_CIPHER = TEST_SEALING.master;

/** The real API over the real database, with one clinic. */
export interface TestApi {
  url: string;
  database: Database;
  databaseUrl: string;
  clinic: TestClinic;
  /** A client of the clinic with every scope. */
  client: ApiClient;
  keyOf(options?: Partial<KeyOptions>): Promise<string>;
  metrics: ApiMetrics;
  /** The log so far, a line each. */
  log: string[];
  [Symbol.asyncDispose](): Promise<void>;
}

interface KeyOptions {
  tenantId: string;
  scopes: readonly Scope[];
  expiresAt: Date | null;
}

/** @param ready a database that nothing is connected to; a new one by default */
export async function startTestApi(
  overrides: Partial<ApiDependencies> = {},
  ready?: TestDatabase,
): Promise<TestApi> {
  const own = ready ?? (await createTestDatabase());
  const database = await openDatabaseAt(own.url, { applicationName: 'test-api' });
  const clinic = await aClinic(database, { professionals: 2 });
  const log: string[] = [];
  const directory = await mkdtemp(join(tmpdir(), 'clinic-recordings-'));
  const unread = new UnreadBytes();
  const metrics = createApiMetrics(database, unread, { recordings: directory });
  const logger = createLogger({ level: 'info', process: 'api', destination: linesTo(log) });
  const recorder = startRequestRecorder({ database, onLost: metrics.onUnrecorded, logger });
  const reads = startReadRecorder({
    database,
    onLost: metrics.onUnrecordedReads,
    logger,
    now: () => new Date(),
  });
  const now = overrides.now ?? (() => new Date());
  const app = createApi({
    documents: createDocuments({ publicUrl: 'http://api.test', now }),
    database,
    logger,
    mode: 'test',
    dashboardUrl: 'https://dashboard.test',
    publicUrl: 'http://api.test',
    phoneHash: createPhoneHash({ current: Buffer.alloc(32, 7) }),
    limits: { areDisabled: true, trustedHops: 0 },
    recordings: {
      storage: await openFileStorage(directory),
      links: createRecordingLinks([Buffer.alloc(32, 9)], 'http://api.test'),
    },
    // Host names in tests must not be resolved on the internet.
    checkWebhookUrl: createWebhookUrlCheck({ allowedCidrs: [], resolve: async () => ['192.88.100.1'] }),
    egressAddresses: ['203.0.113.7'],
    isTemporalUp: async () => true,
    tracing: null,
    leaving: new AbortController().signal,
    metrics,
    unread,
    recorder,
    reads,
    temporalUi: { url: 'http://temporal.test', namespace: 'default' },
    now,
    ...overrides,
  });
  const server = await startServer(app, { host: '127.0.0.1', port: 0 });
  const keyOf: TestApi['keyOf'] = (options = {}) =>
    makeKey(database, { tenantId: clinic.tenantId, ...options });
  return {
    url: server.url,
    database,
    databaseUrl: own.url,
    clinic,
    client: createApiClient(server.url, await keyOf()),
    keyOf,
    metrics,
    log,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await recorder[Symbol.asyncDispose]();
      await reads[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      await own[Symbol.asyncDispose]();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** An API that all tests of a suite share. */
export function suiteApi(overrides: Partial<ApiDependencies> = {}, ready?: TestDatabase): Promise<TestApi> {
  return forSuite(startTestApi(overrides, ready));
}

async function makeKey(
  database: Database,
  options: Partial<KeyOptions> & { tenantId: string },
): Promise<string> {
  const input = { name: 'test', scopes: SCOPES, expiresAt: null, mode: 'test' as const, ...options };
  const { key } = await database.write((em) => createApiKey(em, input, asOperator()));
  return key;
}
