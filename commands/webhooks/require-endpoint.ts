import { lockRow } from '../../db/connection/locks.ts';
import {
  WebhookEndpointEntity,
  type WebhookEndpointRow,
} from '../../db/entities/webhooks/webhook-endpoint.entity.ts';
import { findEndpoint } from '../../db/webhooks/endpoints/list-endpoints.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { requireTenant } from '../clinic/lock-tenant.ts';
import { requireFound } from '../require-found.ts';
import { pauseEnd, receivesEvents } from '../../domain/webhooks/endpoint-status.ts';
import { ServiceError } from '../../domain/service-error.ts';

export interface EndpointOfClinic {
  /** Null for an operator, who may act for any clinic. */
  tenantId: string | null;
  endpointId: string;
}

/** Reads the endpoint without locking it. @throws ServiceError `not_found` */
export async function readEndpoint(
  em: EntityManager,
  { tenantId, endpointId }: { tenantId: string; endpointId: string },
): Promise<WebhookEndpointRow> {
  return requireFound(await findEndpoint(em, tenantId, endpointId), 'endpoint', endpointId);
}

/**
 * Locks the endpoint against other changes until the transaction ends, without delaying new events. Null when the
 * clinic has no such endpoint or has deleted it.
 */
export function lockEndpoint(em: EntityManager, { tenantId, endpointId }: EndpointOfClinic) {
  const ofClinic = tenantId === null ? {} : { tenantId };
  return lockRow(em, WebhookEndpointEntity, { ...ofClinic, id: endpointId, deletedAt: null });
}

/** Like `lockEndpoint`. @throws ServiceError `not_found` */
export async function requireEndpoint(em: EntityManager, wanted: EndpointOfClinic) {
  return requireFound(await lockEndpoint(em, wanted), 'endpoint', wanted.endpointId);
}

/**
 * Like `requireEndpoint`, but the endpoint must also be able to receive events. Errors: also those of
 * `requireReceiving`.
 */
export async function requireReceivingEndpoint(em: EntityManager, wanted: EndpointOfClinic) {
  const endpoint = await requireEndpoint(em, wanted);
  await requireReceiving(em, endpoint);
  return endpoint;
}

/** @throws ServiceError `endpoint_deactivated`, or `clinic_inactive` for an operator acting for a cancelled clinic */
export async function requireReceiving(em: EntityManager, endpoint: WebhookEndpointRow): Promise<void> {
  const { status } = endpoint;
  if (!receivesEvents(status)) {
    throw new ServiceError('endpoint_deactivated', `The endpoint is ${status}. Enable it first.`);
  }
  if (await isOfCanceledClinic(em, endpoint)) {
    throw new ServiceError(
      'clinic_inactive',
      'The clinic’s subscription is cancelled, so no events are sent.',
    );
  }
}

/** @throws ServiceError `endpoint_paused` */
export function refusePaused(endpoint: WebhookEndpointRow, now: Date): void {
  const until = pauseEnd(endpoint, now);
  if (!until) return;
  throw new ServiceError(
    'endpoint_paused',
    `The endpoint is paused until ${until.toISOString()}. Resume it first.`,
  );
}

/** Whether events are sent to the endpoint. They are not while the endpoint is disabled or its clinic is cancelled. */
export async function isReceiving(em: EntityManager, endpoint: WebhookEndpointRow): Promise<boolean> {
  return receivesEvents(endpoint.status) && !(await isOfCanceledClinic(em, endpoint));
}

async function isOfCanceledClinic(em: EntityManager, { tenantId }: WebhookEndpointRow): Promise<boolean> {
  return (await requireTenant(em, tenantId)).status === 'canceled';
}
