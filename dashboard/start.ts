import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { openIdentityProvider } from '../adapters/identity/identity-provider.ts';
import type { Logger } from '../adapters/logger.ts';
import { createPhoneHash } from '../adapters/phone-hash.ts';
import { runEvery, MINUTE_MS } from '../adapters/run-every.ts';
import { createSecretCipher } from '../adapters/secret-cipher.ts';
import { createWebhookUrlCheck } from '../adapters/webhooks/webhook-url.ts';
import { openDatabase } from '../db/connection/open-database.ts';
import { purgeEndedSessions } from '../db/people/purge-people.ts';
import { createRecordingLinks } from '../domain/calls/recording-link.ts';
import { createDashboard } from './app.ts';
import type { DashboardConfig } from './config.ts';

/** Those under way may finish for so long. */
const DRAIN_MS = 10_000;
const MOST_CONNECTIONS = 1000;
/** A form is small; whoever sends one slowly is given up. */
const TIMES = { headersTimeout: 20_000, requestTimeout: 30_000, keepAliveTimeout: 72_000 };

/** Opens what the dashboard needs, in order, and serves; disposing closes it all in reverse. */
export async function startDashboard(config: DashboardConfig, logger: Logger): Promise<AsyncDisposable> {
  await using resources = new AsyncDisposableStack();
  const database = resources.use(
    await openDatabase({ ...config.database, applicationName: 'clinic-dashboard' }),
  );
  const purge = () => purgeEndedSessions(database.em(), new Date());
  resources.use(runEvery(MINUTE_MS, purge, 'sessions.purge_failed', logger));
  const { dashboardUrl, apiUrl, keys, allowedCidrs, temporal } = config;
  const app = createDashboard({
    database,
    logger,
    mode: config.mode,
    cipher: createSecretCipher(keys.encryption.keys, keys.encryption.format),
    phoneHash: createPhoneHash(keys.phoneHashKey),
    timings: config.timings,
    recordingLinks: createRecordingLinks(keys.encryption.keys, apiUrl),
    checkWebhookUrl: createWebhookUrlCheck({ allowedCidrs }),
    temporalUi: { url: temporal.uiUrl, namespace: temporal.namespace },
    provider: openIdentityProvider({ ...config.identity, callbackUrl: `${dashboardUrl}/signed-in` }),
    dashboardUrl,
    apiUrl,
    now: () => new Date(),
  });
  const server = resources.use(await listen(app.callback(), config.listen));
  logger.info({ port: server.port }, 'dashboard.listening');
  return resources.move();
}

async function listen(
  handle: ReturnType<ReturnType<typeof createDashboard>['callback']>,
  { host, port }: DashboardConfig['listen'],
): Promise<AsyncDisposable & { port: number }> {
  const server = createServer(TIMES, (request, response) => void handle(request, response));
  server.maxConnections = MOST_CONNECTIONS;
  server.listen({ host, port });
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      const impatience = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
      server.close();
      server.closeIdleConnections();
      await once(server, 'close');
      clearTimeout(impatience);
    },
  };
}
