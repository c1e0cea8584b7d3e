import { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { createSealing } from '../adapters/encryption/clinic-ciphers.ts';
import type { Logger } from '../adapters/logs/logger.ts';
import { addressIn, createMailer, type Mailer } from '../adapters/mail/mailer.ts';
import { untilAborted } from '../adapters/process/stop-signal.ts';
import { keepSchedules } from '../adapters/temporal/schedules.ts';
import { missingSearchAttributes } from '../adapters/temporal/prepare-namespace.ts';
import { untilReached } from '../adapters/connections/until-reached.ts';
import { followDatabaseClock } from '../commands/follow-database-clock.ts';
import { createWebhookClient } from '../adapters/webhooks/webhook-client.ts';
import { patientPageAddress } from '../domain/appointments/patient-link.ts';
import { openTracing } from '../adapters/tracing/open-tracing.ts';
import { serveMetrics } from '../adapters/metrics/serve-metrics.ts';
import { openDatabase, type DatabaseOptions } from '../db/connection/open-database.ts';
import { createProofs } from '../domain/encryption/proofs.ts';
import { cachedWorkflowBundle } from './bundle/bundle-cache.ts';
import type { WorkerConfig } from './config.ts';
import type { PatientMails } from './patient-mails.ts';
import type { SdkMetrics } from './metrics/sdk-metrics.ts';
import { createWorkerMetrics } from './metrics/worker-metrics.ts';
import { TemporalDoor } from './temporal/temporal-door.ts';
import { startServiceWorker, type ServiceWorker } from './worker.ts';

const CALL_LIMIT_MS = 5000;

export interface RunWorkerOptions {
  config: WorkerConfig;
  logger: Logger;
  /** Stops the worker in order. */
  signal: AbortSignal;
  readSdkMetrics: SdkMetrics['read'];
  onReady: () => void;
  /** Called when the worker begins to stop, on request or because a part has failed. */
  onEnding: () => void;
}

/**
 * Opens what the worker needs (waiting until it is available), works until `signal` aborts, and closes everything in
 * reverse. Rejects when a part stops unexpectedly. Before the end it waits for attempts in flight, and returns claimed
 * rows whose attempt has not started (`outbox/first-attempts.ts`); `main.ts` enforces the time limit.
 */
export async function runWorker(options: RunWorkerOptions): Promise<void> {
  const { config, logger, readSdkMetrics } = options;
  await using resources = new AsyncDisposableStack();
  const { tracing } = resources.use(await openTracing(config.tracing, 'clinic-worker'));
  const sealing = createSealing(config.encryption);
  const { timings } = config;
  const database = resources.use(
    await openDatabase({ ...WORKER_DATABASE, ...config.database, sealing, timings }),
  );
  const { now: clock } = resources.use(await followDatabaseClock(database, logger));
  const { extraCaPem, allowedCidrs } = config;
  if (allowedCidrs.length > 0) logger.warn({ allowedCidrs }, 'webhooks.private_addresses_allowed');
  const webhookClient = resources.adopt(createWebhookClient({ allowedCidrs, extraCaPem }), (client) =>
    client.close(),
  );
  if (config.mail === null) logger.warn('mail.not_configured');
  const mailer = resources.adopt(createMailer(config.mail), (open) => open?.close());
  const temporal = new TemporalDoor();
  const metrics = createWorkerMetrics({ ...config, database, temporal, readSdkMetrics });
  if (config.metrics) resources.use(await serveMetrics(metrics.expose, config.metrics));
  const { dashboardUrl, encryption } = config;
  const patientUrlOf = dashboardUrl === null ? null : patientPageAddress(encryption, dashboardUrl);
  const worker = startServiceWorker({
    ...metrics,
    temporal,
    workflows: config.workflows,
    dashboardUrl,
    patientUrlOf,
    databaseUrl: config.database.url,
    database,
    webhookClient,
    mailer,
    patientMails: patientMailsOf(config, mailer, patientUrlOf),
    retention: config.retention,
    logger,
    clock,
    tracing,
  });
  await workUntilStopped(worker, options);
}

/** Null without a mail server, or without the address of the pages that the mails link to. */
function patientMailsOf(
  { mail, encryption }: WorkerConfig,
  mailer: Mailer | null,
  patientUrlOf: PatientMails['patientUrlOf'] | null,
): PatientMails | null {
  if (mail === null || mailer === null || patientUrlOf === null) return null;
  const proofs = createProofs(encryption, 'patient-mail/v1');
  return {
    mailer,
    sender: addressIn(mail.from),
    patientUrlOf,
    hashAddress: (address) => proofs.proofOf(address).toString('base64url'),
  };
}

async function workUntilStopped(worker: ServiceWorker, options: RunWorkerOptions): Promise<void> {
  const { config, logger, signal, onReady, onEnding } = options;
  await using resources = new AsyncDisposableStack();
  try {
    const connection = resources.adopt(await connect(options), (open) => open.close());
    const { namespace } = config.temporal;
    await scheduleWork(new Client({ connection, namespace }), options);
    await worker.join({ connection, namespace, workflowBundle: await cachedWorkflowBundle(options) });
    onReady();
    const ended = worker.ended.catch((error: unknown) => error);
    const err = await Promise.race([untilAborted(signal), ended]);
    // Logged now, because the steps that follow may never finish.
    if (!signal.aborted) logger.error({ err }, 'worker.part_ended');
  } finally {
    onEnding();
    await worker.stop();
  }
  if (!signal.aborted) throw new Error('a part of the worker stopped unexpectedly');
}

async function connect(options: RunWorkerOptions): Promise<NativeConnection> {
  const { namespace, connection: how } = options.config.temporal;
  const connection = await untilReached('temporal', () => NativeConnection.connect(how), options);
  const findMissing = () => missingSearchAttributes(connection, namespace);
  const missing = await untilReached('temporal', findMissing, options);
  if (missing.length === 0) return connection;
  await connection.close();
  throw new UnregisteredSearchAttributes(missing);
}

/** Creates and updates the schedules that this version needs. */
async function scheduleWork(client: Client, options: RunWorkerOptions): Promise<void> {
  const schedule = () => client.withDeadline(Date.now() + CALL_LIMIT_MS, () => keepSchedules(client));
  await untilReached('temporal', schedule, options);
}

/** Thrown because a workflow that sets an unregistered search attribute would hang forever. */
export class UnregisteredSearchAttributes extends Error {
  override readonly name = 'UnregisteredSearchAttributes';

  constructor(names: readonly string[]) {
    super(`Temporal lacks the search attributes ${names.join(', ')}: run "npm run temporal:setup" first`);
  }
}

/** The worker's database options: many activities run at the same time, and scans read whole clinics. */
export const WORKER_DATABASE = {
  poolSize: 16,
  statementTimeoutMs: 60_000,
  applicationName: 'worker',
} satisfies Partial<DatabaseOptions>;
