import { appointmentInEvent } from '../../commands/appointments/appointment-event.ts';
import { createEndpoint } from '../../commands/webhooks/save-endpoint.ts';
import { eventBody } from '../../commands/webhooks/record-event.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import { NotificationEntity } from '../../db/entities/notification.entity.ts';
import type { TenantRow } from '../../db/entities/tenant.entity.ts';
import { WebhookAttemptEntity } from '../../db/entities/webhook-attempt.entity.ts';
import { WebhookDeliveryEntity } from '../../db/entities/webhook-delivery.entity.ts';
import type { WebhookEndpointRow } from '../../db/entities/webhook-endpoint.entity.ts';
import { WebhookEventEntity } from '../../db/entities/webhook-event.entity.ts';
import { withSealedBody } from '../../db/webhooks/events/sealed-body.ts';
import { STANDARD_TIMINGS } from '../../domain/timings.ts';
import { eventActor } from '../../domain/webhooks/event-actor.ts';
import { EXAMPLE_IDS } from './example-ids.ts';
import type { Making } from './make-examples.ts';

/** A receiver of the guides runs there, at another path. */
const RECEIVER_URL = 'https://localhost:8443/practice-management';
/** Nothing in a sandbox causes it by the way, so nothing is sent where perhaps nobody listens. */
const RARE_EVENT = 'nps.submitted';
/** What told it of the appointment. */
const TOLD = 'appointment.created';

/** The endpoint of the examples, with the event that told it of the appointment, and a notice. */
export async function makeExampleWebhooks(making: Making, tenant: TenantRow, appointment: AppointmentRow) {
  const endpoint = await makeEndpoint(making, tenant);
  await makeDelivery(making, tenant, { appointment, endpoint });
  await makeNotice(making, endpoint);
}

async function makeEndpoint({ em, context }: Making, { id: tenantId }: TenantRow) {
  const wanted = {
    id: EXAMPLE_IDS.endpoint,
    tenantId,
    url: RECEIVER_URL,
    events: [RARE_EVENT],
    description: 'Practice management',
  };
  return (await createEndpoint(em, wanted, context)).endpoint;
}

/** The event that told of the appointment, as if it had arrived. Each row refers to the one before. */
async function makeDelivery(
  { em, context: { now, actor, requestId } }: Making,
  tenant: TenantRow,
  { appointment, endpoint }: { appointment: AppointmentRow; endpoint: WebhookEndpointRow },
): Promise<void> {
  const { event: eventId, delivery: id } = EXAMPLE_IDS;
  const data = { appointment: appointmentInEvent(appointment), actor: eventActor(actor), requestId };
  const body = eventBody(eventId, { tenant, type: TOLD, data }, now.toISOString());
  const common = { tenantId: tenant.id, appointmentId: appointment.id, createdAt: now };
  const event = { ...common, id: eventId, type: TOLD, body, traceParent: null } as const;
  await em.insert(WebhookEventEntity, await withSealedBody(em, event));
  await em.insert(WebhookDeliveryEntity, {
    ...common,
    id,
    eventId,
    endpointId: endpoint.id,
    url: endpoint.url,
    eventType: TOLD,
    resendOf: null,
    workflowId: `delivery:${eventId}:${endpoint.id}`,
    status: 'succeeded',
    attemptCount: 1,
    lastErrorClass: null,
    nextAttemptAt: null,
    updatedAt: now,
  });
  await em.insert(WebhookAttemptEntity, {
    deliveryId: id,
    number: 1,
    tenantId: tenant.id,
    url: endpoint.url,
    startedAt: now,
    durationMs: 84,
    outcome: 'succeeded',
    errorClass: null,
    responseStatus: 200,
    responseExcerpt: 'ok',
  });
}

/** Of a failure that is over; it has been read, so that nobody looks for what is wrong. */
async function makeNotice(
  { em, context: { now } }: Making,
  { tenantId, id: endpointId, url: endpointUrl }: WebhookEndpointRow,
): Promise<void> {
  const deactivateAt = new Date(now.getTime() + STANDARD_TIMINGS.endpointFailingGraceSeconds * 1000);
  await em.insert(NotificationEntity, {
    id: EXAMPLE_IDS.notification,
    tenantId,
    kind: 'endpoint_failing',
    endpointId,
    endpointUrl,
    deactivateAt,
    mail: 'sent',
    emailedAt: now,
    readAt: now,
    createdAt: now,
  });
}
