import { insertTestEvent } from '../../db/webhooks/endpoint-test-event.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { requireTenant } from '../clinic/require-tenant.ts';
import { TEST_EVENT_TYPE, type EventType } from '../../domain/webhooks/event-types.ts';
import { eventDefinition } from '../../domain/webhooks/events/webhook-events.schema.ts';
import type { CommandContext } from '../command-context.ts';
import { eventBody, newEventId } from './record-event.ts';
import { requireReceivingEndpoint } from './require-endpoint.ts';

export interface SendTestEvent {
  tenantId: string;
  endpointId: string;
  /** The type whose data the test event shows an example of. */
  exampleOf: EventType | null;
}

/** Sends a `webhook.test` to one endpoint, on the same path as every event. Errors: `not_found`, `endpoint_deactivated`. */
export async function sendTestEvent(
  em: EntityManager,
  { exampleOf, ...wanted }: SendTestEvent,
  context: CommandContext,
): Promise<{ eventId: string; deliveryId: string }> {
  const endpoint = await requireReceivingEndpoint(em, wanted);
  const { id, name } = await requireTenant(em, wanted.tenantId);
  const eventId = newEventId();
  const data = {
    message: 'Your endpoint receives webhooks.',
    ...(exampleOf && { exampleOf, example: eventDefinition(exampleOf).example.data }),
  };
  const body = eventBody(
    eventId,
    { tenant: { id, name }, type: TEST_EVENT_TYPE, data },
    context.now.toISOString(),
  );
  const deliveryId = await insertTestEvent(em, {
    tenantId: id,
    endpointId: endpoint.id,
    eventId,
    body,
    createdAt: context.now,
  });
  return { eventId, deliveryId };
}
