import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { DeliveryStatus } from '../../../domain/webhooks/delivery-status.ts';
import type { ErrorClass } from '../../../domain/webhooks/attempt-error.ts';
import type { AnyEventType } from '../../../domain/webhooks/event-types.ts';

export const WebhookDeliveryEntity = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_delivery',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    eventId: p.text(),
    endpointId: p.uuid(),
    /** The URL of its last attempt, or the endpoint's URL at its creation. Null after the clinic was erased. */
    url: p.text().strictNullable(),
    eventType: p.text().$type<AnyEventType>(),
    appointmentId: p.uuid().strictNullable(),
    resendNumber: p.integer().default(0),
    resendOf: p.uuid().strictNullable(),
    /** Null: it waits in the queue of an endpoint without a URL. */
    workflowId: p.text().strictNullable(),
    status: p.text().$type<DeliveryStatus>(),
    attemptCount: p.integer().default(0),
    /** The cause of its last failure; null when none. */
    lastErrorClass: p.text().$type<ErrorClass>().strictNullable(),
    nextAttemptAt: p.datetime(3).strictNullable(),
    createdAt: p.datetime(3).defaultRaw('now()'),
    updatedAt: p.datetime(3).defaultRaw('now()'),
  },
});
export type WebhookDeliveryRow = InferEntity<typeof WebhookDeliveryEntity>;
