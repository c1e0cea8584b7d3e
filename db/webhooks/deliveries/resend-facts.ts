import { z } from 'zod';
import { columnsOf } from '../../connection/columns.ts';
import { rowsOf, type EntityManager } from '../../connection/statements.ts';
import {
  WebhookDeliveryEntity,
  type WebhookDeliveryRow,
} from '../../entities/webhooks/webhook-delivery.entity.ts';

/** Facts that decide whether a delivery can be resent. */
const RESEND_FACTS = columnsOf('webhook_delivery', 'id', 'status', 'resendNumber').extend({
  /** Whether this is the event's newest delivery to the endpoint. */
  isNewest: z.boolean(),
  /** Whether the event's body is stored. */
  isKept: z.boolean(),
  endpoint: columnsOf('webhook_endpoint', 'id', 'status', 'url', 'description').extend({
    isDeleted: z.boolean(),
  }),
});
export type ResendFacts = z.infer<typeof RESEND_FACTS>;

/** The clinic's deliveries among these ids, in order of creation. */
export function findResendFacts(em: EntityManager, tenantId: string, ids: readonly string[]) {
  return rowsOf(em, RESEND_FACTS)`
    SELECT
      delivery.id,
      delivery.status,
      delivery.resend_number,
      NOT EXISTS (
        SELECT 1 FROM webhook_delivery later
        WHERE later.event_id = delivery.event_id
          AND later.endpoint_id = delivery.endpoint_id
          AND later.resend_number > delivery.resend_number
      ) AS is_newest,
      EXISTS (
        SELECT 1 FROM webhook_event event
        WHERE event.tenant_id = delivery.tenant_id
          AND event.id = delivery.event_id
          AND event.body IS NOT NULL
      ) AS is_kept,
      json_build_object(
        'id', endpoint.id, 'status', endpoint.status, 'isDeleted', endpoint.deleted_at IS NOT NULL,
        'url', endpoint.url, 'description', endpoint.description
      ) AS endpoint
    FROM webhook_delivery delivery
    JOIN webhook_endpoint endpoint
      ON endpoint.tenant_id = delivery.tenant_id AND endpoint.id = delivery.endpoint_id
    WHERE delivery.tenant_id = ${tenantId}
      AND delivery.id = ANY(${ids}::uuid[])
    ORDER BY delivery.id
  `;
}

/** The latest delivery of an event to an endpoint. */
export function findLatestSending(
  em: EntityManager,
  { tenantId, eventId, endpointId }: Pick<WebhookDeliveryRow, 'tenantId' | 'eventId' | 'endpointId'>,
): Promise<WebhookDeliveryRow> {
  return em.findOneOrFail(
    WebhookDeliveryEntity,
    { tenantId, eventId, endpointId },
    { orderBy: { resendNumber: 'desc' } },
  );
}
