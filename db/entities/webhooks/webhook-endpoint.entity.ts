import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { EndpointStatus } from '../../../domain/webhooks/endpoint-status.ts';

export const WebhookEndpointEntity = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoint',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    /** Null: its system reads a queue. */
    url: p.text().strictNullable(),
    description: p.text().strictNullable(),
    events: p.array().columnType('text[]'),
    /** API keys whose events are not sent here. */
    ignoreActors: p.array().columnType('uuid[]').defaultRaw(`'{}'`),
    status: p.text().$type<EndpointStatus>().default('active'),
    failingSince: p.datetime(3).strictNullable(),
    deactivateAt: p.datetime(3).strictNullable(),
    /** No attempts are made before then: docs/webhooks.md#pause-an-endpoint */
    pausedUntil: p.datetime(3).strictNullable(),
    /** Sent with every delivery: an object as encrypted JSON. */
    headersCiphertext: p.text().strictNullable(),
    headerNames: p.array().columnType('text[]').defaultRaw(`'{}'`),
    /** When a 2xx, a new URL or enabling last made it healthy; earlier attempts no longer count. */
    correctedAt: p.datetime(3).strictNullable(),
    /** When its queue was last read, to a minute; null for one with a URL. */
    readAt: p.datetime(3).strictNullable(),
    deletedAt: p.datetime(3).strictNullable(),
    createdAt: p.datetime(3).defaultRaw('now()'),
    updatedAt: p.datetime(3).defaultRaw('now()'),
  },
});
export type WebhookEndpointRow = InferEntity<typeof WebhookEndpointEntity>;
