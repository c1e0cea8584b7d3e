import { lockRow } from '../../db/connection/locks/lock-row.ts';
import { WebhookEndpointEntity, type WebhookEndpointRow } from '../../db/entities/webhook-endpoint.entity.ts';
import { findEndpoint } from '../../db/webhooks/endpoints/list-endpoints.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { requireFound } from '../require-found.ts';
import { receivesEvents, type EndpointStatus } from '../../domain/webhooks/endpoint-status.ts';
import { ServiceError } from '../../domain/service-error.ts';

export interface EndpointOfClinic {
  /** Null for an operator, who may act for any clinic. */
  tenantId: string | null;
  endpointId: string;
}

/** The endpoint as it is now, which nobody holds. @throws ServiceError `not_found` */
export async function readEndpoint(
  em: EntityManager,
  { tenantId, endpointId }: { tenantId: string; endpointId: string },
): Promise<WebhookEndpointRow> {
  return requireFound(await findEndpoint(em, tenantId, endpointId), 'endpoint', endpointId);
}

/**
 * The endpoint, held against other changes until the transaction ends; new events are not kept waiting. Null when the
 * clinic has no such endpoint, or has deleted it.
 */
export function lockEndpoint(em: EntityManager, { tenantId, endpointId }: EndpointOfClinic) {
  const ofClinic = tenantId === null ? {} : { tenantId };
  return lockRow(em, WebhookEndpointEntity, { ...ofClinic, id: endpointId, deletedAt: null });
}

/** Like `lockEndpoint`. @throws ServiceError `not_found` */
export async function requireEndpoint(em: EntityManager, wanted: EndpointOfClinic) {
  return requireFound(await lockEndpoint(em, wanted), 'endpoint', wanted.endpointId);
}

/** Like `requireEndpoint`, for sending something. @throws ServiceError also `endpoint_deactivated` */
export async function requireReceivingEndpoint(em: EntityManager, wanted: EndpointOfClinic) {
  const endpoint = await requireEndpoint(em, wanted);
  if (!receivesEvents(endpoint.status)) throw endpointIsOff(endpoint.status);
  return endpoint;
}

export function endpointIsOff(status: EndpointStatus): ServiceError {
  return new ServiceError('endpoint_deactivated', `The endpoint is ${status}; enable it first.`);
}
