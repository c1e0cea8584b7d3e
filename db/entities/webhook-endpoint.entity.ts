import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { EndpointStatus } from '../../domain/webhooks/endpoint-status.ts';

export const WebhookEndpointEntity = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoint',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    url: p.text(),
    description: p.text().strictNullable(),
    events: p.array().columnType('text[]'),
    /** Ids of API keys: what they cause is not sent here. */
    ignoreActors: p.array().columnType('uuid[]').defaultRaw(`'{}'`),
    status: p.text().$type<EndpointStatus>().default('active'),
    failingSince: p.datetime(3).strictNullable(),
    deactivateAt: p.datetime(3).strictNullable(),
    /** When a 2xx, a changed URL or enabling last made it healthy; what began before says nothing about it now. */
    correctedAt: p.datetime(3).strictNullable(),
    deletedAt: p.datetime(3).strictNullable(),
    createdAt: p.datetime(3).defaultRaw('now()'),
    updatedAt: p.datetime(3).defaultRaw('now()'),
  },
});
export type WebhookEndpointRow = InferEntity<typeof WebhookEndpointEntity>;
