import Koa from 'koa';
import compress from 'koa-compress';
import { createCallNumberVault } from '../adapters/phones/call-numbers.ts';
import { serveDocsSite } from '../docs-site/serve-docs-site.ts';
import type { OpenApiDocument } from '../docs-site/reference/openapi.ts';
import type { ApiDependencies, RouteDependencies } from './api-dependencies.ts';
import { apiKeyRoutes } from './api-keys/routes.ts';
import { appointmentImportRoutes } from './appointments/import-routes.ts';
import { appointmentListRoutes } from './appointments/list-routes.ts';
import { appointmentRoutes } from './appointments/routes.ts';
import { timelineRoutes } from './appointments/timeline-routes.ts';
import { availabilityRoutes } from './availability/routes.ts';
import { callRoutes } from './calls/routes.ts';
import type { Route } from './contract/implement.ts';
import { contracts } from './contracts.ts';
import { countAdmissions, measureRequests } from './metrics/api-metrics.ts';
import { healthRoutes } from './health/routes.ts';
import { createAdmit, createAdmitUnlimited, type Admit } from './middleware/admission/admit.ts';
import { createAnswerOnce } from './middleware/idempotency/answer-once.ts';
import { tellOfAnswers } from './middleware/tell-of-answers.ts';
import { findRoute } from './middleware/reading/find-route.ts';
import { identifyRequest } from './middleware/identify-request.ts';
import { logRequests, recordRequests } from './middleware/log-requests.ts';
import type { RequestState } from './middleware/request-state.ts';
import { traceRequests } from './middleware/trace-requests.ts';
import { createRouteRunner } from './middleware/run-route.ts';
import { letSenderFinish } from './middleware/answering/let-sender-finish.ts';
import { translateErrors } from './middleware/answering/translate-errors.ts';
import { mcpRoutes } from './mcp/routes.ts';
import { notificationRoutes } from './notifications/routes.ts';
import { patientAnswerRoutes } from './patient-answers/routes.ts';
import { openApiDocument } from './openapi/document.ts';
import { portalLinkRoutes } from './portal-links/routes.ts';
import { busyBlockRoutes } from './busy-blocks/routes.ts';
import { professionalRoutes } from './professionals/routes.ts';
import { requestRoutes } from './request-log/routes.ts';
import { recordingRoutes } from './recordings/routes.ts';
import { serviceRoutes } from './services/routes.ts';
import { slotHoldRoutes } from './slot-holds/routes.ts';
import { specificationRoutes } from './specification/routes.ts';
import { tenantRoutes } from './tenant/routes.ts';
import { webhookDeliveryRoutes } from './webhook-deliveries/routes.ts';
import { webhookEndpointRoutes } from './webhook-endpoints/routes.ts';
import { webhookEventRoutes } from './webhook-events/routes.ts';

const ROUTES: readonly ((dependencies: RouteDependencies) => Route[])[] = [
  healthRoutes,
  tenantRoutes,
  appointmentListRoutes,
  appointmentRoutes,
  appointmentImportRoutes,
  timelineRoutes,
  availabilityRoutes,
  slotHoldRoutes,
  professionalRoutes,
  busyBlockRoutes,
  serviceRoutes,
  callRoutes,
  recordingRoutes,
  patientAnswerRoutes,
  webhookEndpointRoutes,
  portalLinkRoutes,
  webhookEventRoutes,
  webhookDeliveryRoutes,
  notificationRoutes,
  apiKeyRoutes,
  requestRoutes,
];

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
  const numbers = createCallNumberVault(database.ciphers, dependencies.phoneHash);
  const routes = ROUTES.flatMap((routesOf) => routesOf({ ...dependencies, numbers }));
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
