import { UnreadBytes } from '../adapters/connections/unread-bytes.ts';
import { createSealing } from '../adapters/encryption/clinic-ciphers.ts';
import type { Logger } from '../adapters/logs/logger.ts';
import { createPhoneHash } from '../adapters/phones/phone-hash.ts';
import { leave } from '../adapters/process/run-until-stopped.ts';
import { serveMetrics } from '../adapters/metrics/serve-metrics.ts';
import { openRecordingStorage } from '../adapters/recordings/open-recording-storage.ts';
import type { RecordingStorage } from '../adapters/recordings/recording-storage.ts';
import { createWebhookUrlCheck } from '../adapters/webhooks/webhook-url.ts';
import { openTracing } from '../adapters/tracing/open-tracing.ts';
import { inBatches } from '../commands/in-batches.ts';
import { removeDueRecordings, type RemovalDependencies } from '../commands/calls/remove-recordings.ts';
import { whyTemporalIsAway } from '../commands/diagnosis/temporal-by-workers.ts';
import { startReadRecorder } from '../commands/patient-reads/read-recorder.ts';
import { followDatabaseClock } from '../commands/follow-database-clock.ts';
import { untilOwnDatabase } from '../commands/until-own-database.ts';
import { openDatabase, type Database } from '../db/connection/open-database.ts';
import { createRecordingLinks } from '../domain/calls/recording-link.ts';
import { createApi } from './app.ts';
import { createDocuments } from './specification/documents.ts';
import { createApiMetrics, type ApiMetrics } from './metrics/api-metrics.ts';
import type { ApiConfig } from './config.ts';
import { startRequestRecorder } from './request-log/request-recorder.ts';
import { MINUTE_MS, runEvery } from '../adapters/timing/run-every.ts';
import { startServer, type RunningServer } from './server.ts';
import { lookAfterQueues } from '../commands/webhooks/look-after-queues.ts';
import { announcePhoneHash } from '../commands/patients/rehash-phones.ts';
import { purgeHolds } from '../db/appointments/slot-holds.ts';
import { purgeSelfBookings } from '../db/appointments/self-booked.ts';
import { purgePatientEmails } from '../db/self-service/patient-emails.ts';
import { purgeIdempotencyRecords } from '../db/requests/idempotency-records.ts';
import { addUpUsage } from '../db/clinic/stored-usage.ts';
import { purgeRequestLog } from '../db/requests/request-log.ts';
import { purgeRequestWindows } from '../db/requests/rate-limit.ts';
import { MAX_WINDOW_SECONDS } from '../domain/rate-limits.ts';

const NAMED = { applicationName: 'clinic-api' };

/** Opens what the API needs, in order, and serves requests; disposing closes everything in reverse. */
export async function startApi(config: ApiConfig, logger: Logger, stopping: AbortSignal) {
  await untilOwnDatabase(config, { logger, signal: stopping });
  const leaving = new AbortController();
  await using resources = new AsyncDisposableStack();
  const { mode, dashboardUrl, allowedCidrs, egressAddresses, keys, limits, timings } = config;
  const sealing = createSealing(keys.encryption);
  const database = resources.use(await openDatabase({ ...config.database, ...NAMED, sealing, timings }));
  const { now } = resources.use(await followDatabaseClock(database, logger));
  const common = { database, logger, now };
  const phoneHash = await announcePhoneHash(database, createPhoneHash(keys.phoneHash));
  if (allowedCidrs.length > 0) logger.warn({ allowedCidrs }, 'webhooks.private_addresses_allowed');
  const storage = resources.use(await openRecordingStorage(config.recordings));
  for (const upkeep of upkeepOf(storage, common)) resources.use(upkeep);
  const { metrics, unread } = await startMetrics(config, database, resources);
  const documents = createDocuments({ publicUrl: config.listen.publicUrl, now });
  const app = createApi({
    ...common,
    documents,
    mode,
    publicUrl: config.listen.publicUrl,
    dashboardUrl,
    limits,
    phoneHash,
    recordings: { storage, links: createRecordingLinks(keys.encryption, config.listen.publicUrl) },
    checkWebhookUrl: createWebhookUrlCheck({ allowedCidrs }),
    egressAddresses,
    temporalUi: { url: config.temporal.uiUrl, namespace: config.temporal.namespace },
    isTemporalUp: async () => (await whyTemporalIsAway(database.admission())) === null,
    leaving: leaving.signal,
    tracing: resources.use(await openTracing(config.tracing, 'clinic-api')).tracing,
    metrics,
    unread,
    ...startRecorders(common, metrics, resources),
  });
  resources.use(await listen(app, config, logger, leaving.signal));
  documents.makeAll().catch((error: unknown) => logger.error({ err: error }, 'documents.not_made'));
  const opened = resources.move();
  // Readiness fails first. Requests are still served until the listener closes.
  return { leave: () => leave(leaving), [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

async function listen(
  app: Parameters<typeof startServer>[0],
  { listen: where, limits }: ApiConfig,
  logger: Logger,
  leaving: AbortSignal,
): Promise<RunningServer> {
  const server = await startServer(app, { ...where, isBehindProxy: limits.trustedHops > 0, leaving });
  logger.info({ address: server.url }, 'api.listening');
  return server;
}

type Common = { database: Database; logger: Logger; now: () => Date };

/** How often stored data is counted: docs/limits.md#stored allows a delay of 20 seconds. */
const ADD_UP_EVERY_MS = 10_000;

/** A few lookups of pull endpoints. */
const LOOK_AT_QUEUES_EVERY_MS = 15_000;

/** The background work of the process. */
function upkeepOf(storage: RecordingStorage, { database, logger, now }: Common) {
  const removal: RemovalDependencies = { read: (work) => work(database.em()), storage, logger };
  return [
    runEvery(MINUTE_MS, () => purgeRequests(database, now()), 'requests.purge_failed', logger),
    runEvery(
      LOOK_AT_QUEUES_EVERY_MS,
      () => lookAfterQueues(database, now()),
      'queues.not_looked_after',
      logger,
    ),
    runEvery(ADD_UP_EVERY_MS, () => addUpStored(database), 'usage.not_added_up', logger),
    runEvery(MINUTE_MS, () => removeDueRecordings(removal), 'recordings.removal_failed', logger),
  ];
}

/** Records requests and who was shown which patients, in the background. */
function startRecorders(common: Common, metrics: ApiMetrics, resources: AsyncDisposableStack) {
  const { onUnrecorded, onUnrecordedReads } = metrics;
  return {
    recorder: resources.use(startRequestRecorder({ ...common, onLost: onUnrecorded })),
    reads: resources.use(startReadRecorder({ ...common, onLost: onUnrecordedReads })),
  };
}

async function startMetrics(
  { metrics: address, recordings }: ApiConfig,
  database: Database,
  resources: AsyncDisposableStack,
): Promise<{ metrics: ApiMetrics; unread: UnreadBytes }> {
  const disks: Record<string, string> =
    recordings.kind === 'file' ? { recordings: recordings.directory } : {};
  const unread = new UnreadBytes();
  const metrics = createApiMetrics(database, unread, disks);
  if (address) resources.use(await serveMetrics(metrics.expose, address));
  return { metrics, unread };
}

const BATCH = 500;
/** Batch size for the request log, whose rows are small and numerous. */
const LOG_BATCH = 5000;

/**
 * Deletes expired idempotency records, rate limit windows of idle keys and addresses, holds that ended yesterday,
 * addresses of patients who booked yesterday or before, email addresses of patients whose appointment was 30 days ago,
 * and requests older than a week. Works in small batches and in parallel with other processes.
 */
export async function purgeRequests(database: Database, now: Date): Promise<void> {
  await inBatches(BATCH, (size) => purgeIdempotencyRecords(database.em(), size));
  await inBatches(BATCH, (size) => purgeRequestWindows(database.em(), MAX_WINDOW_SECONDS, size));
  await inBatches(BATCH, (size) => purgeHolds(database.em(), size));
  await inBatches(BATCH, (size) => purgeSelfBookings(database.em(), size));
  await inBatches(BATCH, (size) => purgePatientEmails(database.em(), size));
  await inBatches(LOG_BATCH, (size) => purgeRequestLog(database.em(), now, size));
}

/** Adds up what clinics have stored since the last run: docs/limits.md#stored */
function addUpStored(database: Database): Promise<void> {
  return inBatches(LOG_BATCH, (size) => addUpUsage(database.em(), size));
}
