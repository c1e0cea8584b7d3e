import { WebhookEventEntity } from '../../db/entities/webhooks/webhook-event.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { requireTenant } from '../clinic/lock-tenant.ts';
import { TEST_EVENT_TYPE, type EventType } from '../../domain/webhooks/event-types.ts';
import { eventDefinition } from '../../domain/webhooks/events/webhook-events.schema.ts';
import { recordAudit, type CommandContext } from '../command-context.ts';
import { addDelivery } from './add-delivery.ts';
import { withSealedBody } from '../../db/webhooks/events/sealed-body.ts';
import { eventBody, newEventId } from './record-event.ts';
import { refusePaused, requireReceivingEndpoint, type EndpointOfClinic } from './require-endpoint.ts';

export interface SendTestEvent extends EndpointOfClinic {
  /** The event type whose example data the test event contains. */
  exampleOf: EventType | null;
}

/**
 * Sends a `webhook.test` to one endpoint in the usual way, but with one attempt (`record-attempts.ts`). Errors:
 * `not_found`, `endpoint_deactivated`, `endpoint_paused`, `clinic_inactive`.
 */
export async function sendTestEvent(
  em: EntityManager,
  { exampleOf, ...wanted }: SendTestEvent,
  context: CommandContext,
): Promise<{ eventId: string; deliveryId: string }> {
  const { now } = context;
  const endpoint = await requireReceivingEndpoint(em, wanted);
  refusePaused(endpoint, now);
  const { id, name } = await requireTenant(em, endpoint.tenantId);
  const eventId = newEventId();
  const data = {
    message: 'Your endpoint is receiving webhooks.',
    ...(exampleOf && { exampleOf, example: eventDefinition(exampleOf).example.data }),
  };
  const body = eventBody(eventId, { tenant: { id, name }, type: TEST_EVENT_TYPE, data }, now.toISOString());
  const ids = { tenantId: id, appointmentId: null };
  const event = { ...ids, id: eventId, type: TEST_EVENT_TYPE, createdAt: now } as const;
  await em.insert(WebhookEventEntity, await withSealedBody(em, { ...event, body }));
  const { id: endpointId, url } = endpoint;
  const delivery = { ...ids, eventId, endpointId, url, eventType: TEST_EVENT_TYPE } as const;
  const deliveryId = await addDelivery(em, { ...delivery, resendNumber: 0, resendOf: null }, now);
  const audited = { tenantId: id, subjectId: endpoint.id, details: { deliveryId, exampleOf } };
  await recordAudit(em, { action: 'endpoint.tested', ...audited }, context);
  return { eventId, deliveryId };
}
