import { UnreadBytes } from '../adapters/connections/unread-bytes.ts';
import { createSealing, type MasterSealing } from '../adapters/encryption/clinic-ciphers.ts';
import { openIdentityProvider } from '../adapters/identity/identity-provider.ts';
import type { Logger } from '../adapters/logs/logger.ts';
import { serveMetrics } from '../adapters/metrics/serve-metrics.ts';
import { createPhoneHash } from '../adapters/phones/phone-hash.ts';
import { runEvery, MINUTE_MS } from '../adapters/timing/run-every.ts';
import { leave, type Running } from '../adapters/process/run-until-stopped.ts';
import { createWebhookUrlCheck } from '../adapters/webhooks/webhook-url.ts';
import { databaseChecks } from '../commands/diagnosis/database-checks.ts';
import { temporalCheckByWorkers } from '../commands/diagnosis/temporal-by-workers.ts';
import { startReadRecorder } from '../commands/patient-reads/read-recorder.ts';
import { followDatabaseClock } from '../commands/follow-database-clock.ts';
import { untilOwnDatabase } from '../commands/until-own-database.ts';
import { openDatabase, type Database } from '../db/connection/open-database.ts';
import { STANDARD_TIMINGS, type Timings } from '../domain/timings.ts';
import { purgeEndedSessions } from '../db/people/purge-people.ts';
import { createPatientLinks } from '../domain/appointments/patient-link.ts';
import { createRecordingLinks } from '../domain/calls/recording-link.ts';
import { createDashboard, type DashboardDependencies } from './app.ts';
import type { DashboardConfig } from './config.ts';
import { listen } from './serving/listen.ts';
import { returnAddresses } from './sign-in/return-addresses.ts';
import { createDashboardMetrics } from './metrics.ts';
import { announcePhoneHash } from '../commands/patients/rehash-phones.ts';
import { GUEST_ROLE } from '../db/migrations/clinic-walls.ts';

/** Opens what the dashboard needs, in order, and serves requests; disposing closes everything in reverse. */
export async function startDashboard(
  config: DashboardConfig,
  logger: Logger,
  stopping: AbortSignal,
): Promise<Running> {
  await untilOwnDatabase(config, { logger, signal: stopping });
  const leaving = new AbortController();
  await using resources = new AsyncDisposableStack();
  const sealing = createSealing(config.keys.encryption);
  const database = resources.use(
    await openDatabase({
      ...config.database,
      sealing,
      timings: config.timings,
      applicationName: 'clinic-dashboard',
    }),
  );
  const guests = resources.use(await openGuestDatabase(config, sealing));
  const { now } = resources.use(await followDatabaseClock(database, logger));
  const purge = () => purgeEndedSessions(database.em(), now());
  resources.use(runEvery(MINUTE_MS, purge, 'sessions.purge_failed', logger));
  const unread = new UnreadBytes();
  const metrics = createDashboardMetrics(database, unread);
  if (config.metrics) resources.use(await serveMetrics(metrics.expose, config.metrics));
  const { onUnrecordedReads: onLost } = metrics;
  const reads = resources.use(startReadRecorder({ database, onLost, logger, now }));
  const opened = { sealing, database, guests, metrics, unread, reads, logger, now };
  const phoneHash = await announcePhoneHash(database, createPhoneHash(config.keys.phoneHash));
  const app = createDashboard(dependenciesOf(config, { ...opened, phoneHash, leaving: leaving.signal }));
  const where = { ...config.listen, isBehindProxy: config.limits.trustedHops > 0, leaving: leaving.signal };
  const server = resources.use(await listen(app.callback(), where));
  logger.info({ port: server.port }, 'dashboard.listening');
  const kept = resources.move();
  return { leave: () => leave(leaving), [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

type Opened = Pick<
  DashboardDependencies,
  'database' | 'guests' | 'metrics' | 'unread' | 'reads' | 'logger' | 'now' | 'phoneHash' | 'leaving'
> & {
  sealing: MasterSealing;
};

function dependenciesOf(config: DashboardConfig, { sealing, ...opened }: Opened): DashboardDependencies {
  const { mode, dashboardUrl, apiUrl, keys, limits, allowedCidrs, egressAddresses, temporal: ui } = config;
  const cipher = sealing.master;
  const ofDatabase = {
    ...opened,
    databaseUrl: config.database.url,
    keyIds: cipher.keyIds,
    temporal: null,
  };
  return {
    ...opened,
    mode,
    cipher,
    links: createPatientLinks(keys.encryption),
    areLimitsDisabled: limits.areDisabled,
    trustedHops: limits.trustedHops,
    recordingLinks: createRecordingLinks(keys.encryption, apiUrl),
    checkWebhookUrl: createWebhookUrlCheck({ allowedCidrs }),
    egressAddresses,
    temporalUi: { url: ui.uiUrl, namespace: ui.namespace },
    examine: async () => [
      ...(await databaseChecks(ofDatabase)),
      await temporalCheckByWorkers(opened.database.em()),
    ],
    provider: openIdentityProvider({ ...config.identity, ...returnAddresses(dashboardUrl) }),
    dashboardUrl,
    apiUrl,
    sendsMail: config.sendsMail,
  };
}

/** The number of connections for public pages: fewer than for staff, and independent of DATABASE_POOL_SIZE. */
const POOL_SIZE = 5;

interface GuestDatabaseConfig {
  database: { url: string };
  publicDatabaseUrl?: string | undefined;
  timings?: Timings;
}

/** Opens the database for public pages, with only the rights that a booking needs. docs/operations/database-roles.md */
export function openGuestDatabase(
  { database, publicDatabaseUrl, timings = STANDARD_TIMINGS }: GuestDatabaseConfig,
  sealing: MasterSealing,
): Promise<Database> {
  return openDatabase({
    url: publicDatabaseUrl ?? database.url,
    poolSize: POOL_SIZE,
    roleOfClinics: GUEST_ROLE,
    applicationName: 'clinic-public',
    sealing,
    timings,
  });
}
