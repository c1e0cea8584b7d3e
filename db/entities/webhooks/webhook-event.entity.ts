import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { AnyEventType } from '../../../domain/webhooks/event-types.ts';

export const WebhookEventEntity = defineEntity({
  name: 'WebhookEvent',
  tableName: 'webhook_event',
  properties: {
    id: p.text().primary(),
    tenantId: p.uuid(),
    type: p.text().$type<AnyEventType>(),
    /** The signed envelope, byte for byte; null when it is no longer stored. */
    body: p.text().strictNullable(),
    appointmentId: p.uuid().strictNullable(),
    createdAt: p.datetime(3),
    /** W3C `traceparent` of the request that caused it, with tracing on. */
    traceParent: p.text().strictNullable(),
  },
});
export type WebhookEventRow = InferEntity<typeof WebhookEventEntity>;
