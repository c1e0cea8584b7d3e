import type { WebhookEndpointRow } from '../../db/entities/webhook-endpoint.entity.ts';

/** The secret stands beside it only where one was just made. */
export function presentEndpoint(row: WebhookEndpointRow) {
  return {
    id: row.id,
    url: row.url,
    events: row.events,
    description: row.description,
    ignoreActors: row.ignoreActors,
    status: row.status,
    failingSince: row.failingSince?.toISOString() ?? null,
    deactivateAt: row.deactivateAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
