import type { RouteDependencies } from './api-dependencies.ts';
import type { Contracts } from './contract/define-contracts.ts';
import type { Resource, Route } from './contract/route.ts';
import { apiKeyRoutes } from './api-keys/routes.ts';
import { acknowledgementRoutes } from './appointments/acknowledgement-routes.ts';
import { appointmentImportRoutes } from './appointments/import-routes.ts';
import { appointmentListRoutes } from './appointments/list-routes.ts';
import { appointmentRoutes } from './appointments/routes.ts';
import { timelineRoutes } from './appointments/timeline-routes.ts';
import { availabilityRoutes } from './availability/routes.ts';
import { busyBlockRoutes } from './busy-blocks/routes.ts';
import { briefingRoutes } from './calls/briefing-routes.ts';
import { callRoutes, ingestRoutes } from './calls/routes.ts';
import { healthRoutes } from './health/routes.ts';
import { mcpRoutes } from './mcp/routes.ts';
import { notificationRoutes } from './notifications/routes.ts';
import { patientAnswerRoutes } from './patient-answers/routes.ts';
import { patientRoutes } from './patients/routes.ts';
import { portalLinkRoutes } from './portal-links/routes.ts';
import { professionalRoutes } from './professionals/routes.ts';
import { recordingRoutes } from './recordings/routes.ts';
import { requestRoutes } from './request-log/routes.ts';
import { serviceRoutes } from './services/routes.ts';
import { slotHoldRoutes } from './slot-holds/routes.ts';
import { specificationContracts } from './specification/contract.ts';
import { tenantRoutes } from './tenant/routes.ts';
import { webhookDeliveryRoutes } from './webhook-deliveries/routes.ts';
import {
  webhookEndpointActionRoutes,
  webhookEndpointRoutes,
  webhookEndpointStateRoutes,
} from './webhook-endpoints/routes.ts';
import { webhookQueueRoutes } from './webhook-queue/routes.ts';
import { webhookEventRoutes } from './webhook-events/routes.ts';

const RESOURCES: readonly Resource<RouteDependencies>[] = [
  healthRoutes,
  tenantRoutes,
  appointmentListRoutes,
  appointmentRoutes,
  appointmentImportRoutes,
  acknowledgementRoutes,
  timelineRoutes,
  availabilityRoutes,
  slotHoldRoutes,
  professionalRoutes,
  serviceRoutes,
  busyBlockRoutes,
  callRoutes,
  briefingRoutes,
  recordingRoutes,
  ingestRoutes,
  patientAnswerRoutes,
  patientRoutes,
  webhookEndpointRoutes,
  webhookEndpointStateRoutes,
  webhookEndpointActionRoutes,
  webhookQueueRoutes,
  portalLinkRoutes,
  webhookEventRoutes,
  webhookDeliveryRoutes,
  notificationRoutes,
  apiKeyRoutes,
  requestRoutes,
];

/** All operations of the API by id, in the order of the document. */
export const contracts: Contracts = Object.assign(
  {},
  ...[...RESOURCES, mcpRoutes].map((resource) => resource.contracts),
  specificationContracts,
);

/** Every route except the documents. */
export function routesOf(dependencies: RouteDependencies): Route[] {
  const routes = RESOURCES.flatMap((resource) => resource.routes(dependencies));
  return [...routes, ...mcpRoutes.routes({ ...dependencies, routes })];
}
