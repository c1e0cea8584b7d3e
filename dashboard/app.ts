import Koa, { type Next } from 'koa';
import { uuidv7 } from 'uuidv7';
import { sendBodies } from '../adapters/connections/send-bodies.ts';
import type { UnreadBytes } from '../adapters/connections/unread-bytes.ts';
import type { IdentityProvider } from '../adapters/identity/identity-provider.ts';
import type { Logger } from '../adapters/logs/logger.ts';
import type { PhoneHash } from '../adapters/phones/phone-hash.ts';
import type { SecretCipher } from '../adapters/encryption/secret-cipher.ts';
import type { WebhookUrlVerdict } from '../adapters/webhooks/webhook-url.ts';
import type { Check } from '../commands/diagnosis/check.ts';
import type { ReadRecorder } from '../commands/patient-reads/read-recorder.ts';
import type { Database } from '../db/connection/open-database.ts';
import type { PatientLinks } from '../domain/appointments/patient-link.ts';
import type { RecordingLinks } from '../domain/calls/recording-link.ts';
import type { ServiceMode } from '../domain/service-mode.ts';
import type { Assets } from '../pages/assets.ts';
import { offerFile } from '../pages/site-file.ts';
import { createAnswering } from './serving/answering.ts';
import { loadAssets } from './assets.ts';
import { keyPages } from './api-keys/key-pages.ts';
import { appointmentPages } from './appointments/appointment-pages.ts';
import { auditPages } from './audit/audit-pages.ts';
import { blockPages } from './blocks/block-pages.ts';
import { callPages } from './calls/call-pages.ts';
import { csvPages } from './csv/csv-pages.ts';
import type { DashboardMetrics } from './metrics.ts';
import { overviewPages } from './overview/overview-pages.ts';
import type { PageRoute } from './serving/page-request.ts';
import { patientDataPages } from './patients/data-pages.ts';
import { patientPages } from './patients/patient-pages.ts';
import { readPages } from './patient-reads/read-pages.ts';
import { requestPages } from './request-log/request-pages.ts';
import { leadToOwnHost } from './serving/own-host.ts';
import { securityHeaders } from './serving/security-headers.ts';
import { servePages } from './serving/serve-pages.ts';
import { servicePages } from './services/service-pages.ts';
import { sessionPages } from './sessions/session-pages.ts';
import { settingsPages } from './settings/settings-pages.ts';
import { showErrors } from './serving/show-errors.ts';
import { selfServiceRoutes } from './self-service/self-service-routes.ts';
import { createCookies } from './sign-in/cookies.ts';
import type { DashboardContext, DashboardState } from './serving/state.ts';
import { teamPages } from './team/team-pages.ts';
import { webhookPages } from './webhooks/webhook-pages.ts';
import { supportPages } from './support/support-pages.ts';

export interface DashboardDependencies {
  database: Database;
  /** The database with the rights of public pages. */
  guests: Database;
  logger: Logger;
  metrics: Pick<DashboardMetrics, 'onRequest'>;
  /** Response bytes that clients have not read yet. */
  unread: UnreadBytes;
  mode: ServiceMode;
  cipher: SecretCipher;
  phoneHash: PhoneHash;
  recordingLinks: RecordingLinks;
  /** Links to a patient's own appointment. */
  links: PatientLinks;
  /** RATE_LIMITS_DISABLED */
  areLimitsDisabled: boolean;
  /** TRUSTED_PROXY_HOPS */
  trustedHops: number;
  /** Checks a webhook URL. This takes a while, because it resolves the host name. */
  checkWebhookUrl: (url: string) => Promise<WebhookUrlVerdict>;
  /** EGRESS_ADDRESSES */
  egressAddresses: readonly string[];
  /** The Temporal UI; without an address, pages have no links to it. */
  temporalUi: { url: string | null; namespace: string };
  /** The checks of `doctor`, except those that need Temporal. */
  examine: () => Promise<Check[]>;
  provider: IdentityProvider;
  reads: ReadRecorder;
  /** Aborts when the process is about to stop. */
  leaving: AbortSignal;
  /** The public addresses of the dashboard and of the API. */
  dashboardUrl: string;
  apiUrl: string;
  /** Whether this deployment sends mails to patients. */
  sendsMail: boolean;
  now: () => Date;
}

export function createDashboard(dependencies: DashboardDependencies): Koa<DashboardState> {
  const { logger, dashboardUrl, unread } = dependencies;
  const assets = loadAssets();
  const cookies = createCookies(dashboardUrl.startsWith('https:'));
  const answering = createAnswering(cookies, `/${assets.folder}`);
  const app = new Koa<DashboardState>();
  app.use(identifyRequest(dependencies));
  app.use(securityHeaders(dependencies));
  app.use(leadToOwnHost({ dashboardUrl, cookies, answering }));
  app.use(sendBodies(unread));
  app.use(showErrors(answering, logger));
  app.use(serveAssets(assets));
  app.use(requireRoom(unread));
  const folder = `/${assets.folder}`;
  app.use(selfServiceRoutes({ ...dependencies, answering, cookies, assets: folder }));
  app.use(
    servePages({ ...dependencies, routes: allPages(dependencies), cookies, answering, assets: folder }),
  );
  app.on('error', (error: unknown) => logger.error({ err: error }, 'page.answer_failed'));
  return app;
}

/** Every page of the dashboard with its access rule. */
export function allPages(dependencies: DashboardDependencies): PageRoute[] {
  return [
    ...overviewPages(dependencies),
    ...csvPages(dependencies),
    ...appointmentPages(dependencies),
    ...patientPages(dependencies),
    ...patientDataPages(dependencies),
    ...blockPages(),
    ...callPages(dependencies),
    ...settingsPages(dependencies),
    ...teamPages(),
    ...servicePages(),
    ...auditPages(),
    ...sessionPages(),
    ...readPages(),
    ...keyPages(dependencies),
    ...webhookPages(dependencies),
    ...supportPages(dependencies),
    ...requestPages(),
  ];
}

/** Gives every request its id, log line and metrics. Unknown paths and query strings are left out. */
function identifyRequest({ logger, metrics }: DashboardDependencies) {
  return async (ctx: DashboardContext, next: Next): Promise<void> => {
    const startedAt = performance.now();
    const requestId = uuidv7();
    Object.assign(ctx.state, { requestId, route: 'unmatched' });
    ctx.set('X-Request-Id', requestId);
    ctx.res.once('close', () => {
      const { method, status, state } = ctx;
      const { route } = state;
      const durationMs = performance.now() - startedAt;
      metrics.onRequest({ method, route, status, seconds: durationMs / 1000 });
      const said = { requestId, method, route, status, durationMs: Math.round(durationMs) };
      logger.info(said, 'page.completed');
    });
    await next();
  };
}

function serveAssets({ files }: Assets) {
  return async (ctx: DashboardContext, next: Next): Promise<void> => {
    const file = ctx.method === 'GET' || ctx.method === 'HEAD' ? files.get(ctx.path) : undefined;
    if (!file) return void (await next());
    ctx.state.route = 'asset';
    ctx.status = 200;
    ctx.state.isShared = true;
    ctx.body = offerFile(ctx, file);
  };
}

/** Refuses requests while too many response bytes are unread, before the database is used. */
function requireRoom(unread: UnreadBytes) {
  return async (_ctx: DashboardContext, next: Next): Promise<void> => {
    unread.requireRoom(null);
    await next();
  };
}
