import Koa from 'koa';
import compress from 'koa-compress';
import { createCallNumberVault } from '../adapters/phones/call-numbers.ts';
import type { Logger } from '../adapters/logs/logger.ts';
import type { PhoneHash } from '../adapters/phones/phone-hash.ts';
import type { RecordingStorage } from '../adapters/recordings/recording-storage.ts';
import type { Tracing } from '../adapters/tracing/tracing.ts';
import type { ReadRecorder } from '../commands/patient-reads/read-recorder.ts';
import type { Database } from '../db/connection/open-database.ts';
import type { RecordingLinks } from '../domain/calls/recording-link.ts';
import type { ServiceMode } from '../domain/service-mode.ts';
import { serveDocsSite } from '../docs-site/serve-docs-site.ts';
import type { OpenApiDocument } from '../docs-site/reference/openapi.ts';
import type { Timings } from '../domain/timings.ts';
import { apiKeyRoutes } from './api-keys/routes.ts';
import { appointmentImportRoutes } from './appointments/import-routes.ts';
import { appointmentListRoutes } from './appointments/list-routes.ts';
import type { TemporalUi } from './appointments/present-timeline.ts';
import { appointmentRoutes } from './appointments/routes.ts';
import { timelineRoutes } from './appointments/timeline-routes.ts';
import { availabilityRoutes } from './availability/routes.ts';
import { slotSearchRoutes } from './availability/search-routes.ts';
import { callIngestRoutes } from './calls/ingest-routes.ts';
import { callRoutes } from './calls/routes.ts';
import type { Route } from './contract/implement.ts';
import { contracts } from './contracts.ts';
import type { ApiMetrics } from './metrics/api-metrics.ts';
import { countAdmissions, measureRequests } from './metrics/measure.ts';
import { healthRoutes } from './health/routes.ts';
import type { Probe } from '../adapters/timing/steady-probe.ts';
import { createAdmit, createAdmitUnlimited, type Admit } from './middleware/admission/admit.ts';
import { createAnswerOnce } from './middleware/idempotency/answer-once.ts';
import { tellOfAnswers } from './middleware/tell-of-answers.ts';
import { findRoute } from './middleware/reading/find-route.ts';
import { recordRequests } from './middleware/record-requests.ts';
import { identifyRequest, logRequests } from './middleware/log-requests.ts';
import type { RequestState } from './middleware/request-state.ts';
import { traceRequests } from './middleware/trace-requests.ts';
import { createRouteRunner, type BodyDeadlines } from './middleware/run-route.ts';
import { letSenderFinish } from './middleware/answering/let-sender-finish.ts';
import { translateErrors } from './middleware/answering/translate-errors.ts';
import { mcpRoutes } from './mcp/routes.ts';
import { notificationRoutes } from './notifications/routes.ts';
import { patientAnswerRoutes } from './patient-answers/routes.ts';
import { openApiDocument } from './openapi/document.ts';
import { portalLinkRoutes } from './portal-links/routes.ts';
import { busyBlockRoutes } from './busy-blocks/routes.ts';
import { professionalRoutes } from './professionals/routes.ts';
import type { RequestRecorder } from './request-log/request-recorder.ts';
import { requestRoutes } from './request-log/routes.ts';
import { recordingRoutes } from './recordings/routes.ts';
import { serviceRoutes } from './services/routes.ts';
import { slotHoldRoutes } from './slot-holds/routes.ts';
import { specificationRoutes } from './specification/routes.ts';
import { tenantRoutes } from './tenant/routes.ts';
import { webhookDeliveryRoutes } from './webhook-deliveries/routes.ts';
import { webhookEndpointActionRoutes } from './webhook-endpoints/action-routes.ts';
import { webhookEndpointRoutes, type WebhookEndpointDependencies } from './webhook-endpoints/routes.ts';
import { webhookEventRoutes } from './webhook-events/routes.ts';

export interface ApiDependencies {
  database: Database;
  logger: Logger;
  mode: ServiceMode;
  /** How its users reach the API. */
  publicUrl: string;
  /** Where people reach the dashboard. */
  dashboardUrl: string;
  phoneHash: PhoneHash;
  limits: { areDisabled: boolean; trustedHops: number };
  timings: Timings;
  recordings: { storage: RecordingStorage; links: RecordingLinks };
  checkWebhookUrl: WebhookEndpointDependencies['checkUrl'];
  isTemporalUp: Probe;
  temporalUi: TemporalUi;
  now: () => Date;
  metrics: Pick<ApiMetrics, 'onRequest' | 'onAdmission'>;
  recorder: RequestRecorder;
  reads: ReadRecorder;
  /** Null: nobody follows requests. */
  tracing: Tracing | null;
  /** Aborts when the process is about to stop: nothing new is to be sent to it. */
  leaving: AbortSignal;
  deadlines?: BodyDeadlines;
}

/** Smaller answers fit into one packet as they are. */
const SMALLEST_COMPRESSED_BYTES = 1400;

export function createApi(dependencies: ApiDependencies): Koa<RequestState> {
  const { database, logger, now, metrics, recorder, reads, tracing, deadlines, publicUrl } = dependencies;
  const answerOnce = createAnswerOnce({ database });
  const admit = countAdmissions(admitOf(dependencies), metrics);
  const run = createRouteRunner({ database, admit, answerOnce, reads, now, deadlines });
  const app = new Koa<RequestState>();
  app.use(identifyRequest);
  app.use(tellOfAnswers(logRequests(logger), measureRequests(metrics), recordRequests(recorder)));
  if (tracing) app.use(traceRequests(tracing));
  app.use(letSenderFinish);
  app.use(compress({ threshold: SMALLEST_COMPRESSED_BYTES }));
  app.use(translateErrors(logger));
  const document = openApiDocument(contracts);
  app.use(serveDocsSite({ document: document as unknown as OpenApiDocument, publicUrl, now }));
  const routes = allRoutes(dependencies);
  app.use(findRoute([...routes, ...mcpRoutes(routes), ...specificationRoutes(document)], run));
  app.on('error', (error: unknown) => logger.error({ err: error }, 'answer.failed'));
  return app;
}

function admitOf({ database, mode, limits, now }: ApiDependencies): Admit {
  const { areDisabled, trustedHops } = limits;
  return areDisabled
    ? createAdmitUnlimited({ database, mode, now })
    : createAdmit({ database, mode, trustedHops, now });
}

function allRoutes(dependencies: ApiDependencies): Route[] {
  const { database, mode, phoneHash, timings, isTemporalUp, temporalUi, leaving } = dependencies;
  return [
    ...healthRoutes({ isDatabaseUp: databaseProbe(database), isTemporalUp, leaving }),
    ...tenantRoutes(),
    ...appointmentListRoutes({ database, phoneHash }),
    ...appointmentRoutes({ database, phoneHash, timings }),
    ...appointmentImportRoutes({ phoneHash, timings }),
    ...timelineRoutes({ temporalUi }),
    ...availabilityRoutes(),
    ...slotSearchRoutes(),
    ...slotHoldRoutes(),
    ...professionalRoutes(),
    ...busyBlockRoutes(),
    ...serviceRoutes(),
    ...routesOfCalls(dependencies),
    ...routesOfWebhooks(dependencies),
    ...apiKeyRoutes({ mode }),
    ...requestRoutes(),
  ];
}

function routesOfCalls({ database, phoneHash, recordings, logger }: ApiDependencies): Route[] {
  const numbers = createCallNumberVault(database.ciphers, phoneHash);
  return [
    ...callRoutes({ numbers, ...recordings }),
    ...callIngestRoutes({ database, numbers, logger, ...recordings }),
    ...recordingRoutes({ database, logger, ...recordings }),
    ...patientAnswerRoutes(),
  ];
}

function routesOfWebhooks({ checkWebhookUrl, dashboardUrl }: ApiDependencies): Route[] {
  return [
    ...webhookEndpointRoutes({ checkUrl: checkWebhookUrl }),
    ...webhookEndpointActionRoutes(),
    ...portalLinkRoutes({ dashboardUrl }),
    ...webhookEventRoutes(),
    ...webhookDeliveryRoutes(),
    ...notificationRoutes(),
  ];
}

function databaseProbe(database: Database): Probe {
  return () =>
    database.ping().then(
      () => true,
      () => false,
    );
}
