import { isDeepStrictEqual } from 'node:util';
import { WebhookEndpointEntity, type WebhookEndpointRow } from '../../db/entities/webhook-endpoint.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { ServiceError } from '../../domain/service-error.ts';

interface Subscription extends Pick<WebhookEndpointRow, 'tenantId' | 'url' | 'events'> {
  /** Null for one that is to be made. */
  id: string | null;
}

/**
 * A receiver that is told everything twice is a mistake. The clinic is held by whoever asks, so that two requests at once cannot both
 * be the first. @throws ServiceError `endpoint_exists` with `endpointId`
 */
export async function refuseTwinEndpoint(em: EntityManager, wanted: Subscription): Promise<void> {
  const { id, tenantId, url } = wanted;
  const there = await em.find(WebhookEndpointEntity, { tenantId, url, deletedAt: null });
  const twin = there.find((endpoint) => endpoint.id !== id && hasSameEvents(endpoint, wanted));
  if (!twin) return;
  const message = 'An endpoint of the clinic has this URL and these events already.';
  throw new ServiceError('endpoint_exists', message, { extras: { endpointId: twin.id } });
}

function hasSameEvents({ events: one }: Subscription, { events: other }: Subscription): boolean {
  return isDeepStrictEqual(new Set(one), new Set(other));
}
