import { cipherOf } from '../../db/connection/cipher-of.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { timingsOf } from '../../db/connection/timings-of.ts';
import { inSlices } from '../../db/connection/work-slices.ts';
import type { WebhookEndpointRow } from '../../db/entities/webhooks/webhook-endpoint.entity.ts';
import { openBody } from '../../db/webhooks/events/sealed-body.ts';
import { acknowledgeDeliveries, queuedDeliveries } from '../../db/webhooks/queue/queued-deliveries.ts';
import { notFound } from '../../domain/service-error.ts';
import { deliveryMode } from '../../domain/webhooks/delivery-mode.ts';
import { deliveryHeaders } from '../../domain/webhooks/webhook-headers.ts';
import type { CommandContext } from '../command-context.ts';
import { correctEndpoint } from './change-endpoint-health.ts';
import { readEndpoint, requireEndpoint } from './require-endpoint.ts';
import { readSecrets } from './signing-secrets.ts';

interface QueuePlace {
  tenantId: string;
  endpointId: string;
}

/** The time of a read is stored at most this often, so that a waiting reader costs no writes. */
const NOTED_EVERY_MS = 60_000;

/** An endpoint that has a queue. @throws ServiceError `not_found`, also for one with a URL */
export async function readPullEndpoint(em: EntityManager, place: QueuePlace): Promise<WebhookEndpointRow> {
  const endpoint = await readEndpoint(em, place);
  if (deliveryMode(endpoint) === 'push') throw notFound('queue of the endpoint', place.endpointId);
  return endpoint;
}

/** Whether a read now has to be noted: the last one was some time ago, or the endpoint counts as unread. */
export function isReadToNote(em: EntityManager, { readAt, status }: WebhookEndpointRow, now: Date): boolean {
  const graceMs = timingsOf(em).endpointFailingGraceSeconds * 1000;
  const everyMs = Math.min(NOTED_EVERY_MS, graceMs / 4);
  return status === 'failing' || readAt === null || now.getTime() - readAt.getTime() >= everyMs;
}

/**
 * Ends deliveries that the endpoint's system has read, and notes that it reads: an endpoint that was failing is active
 * again. Errors: `not_found`.
 */
export async function noteRead(
  em: EntityManager,
  { isToNote, acknowledged, ...place }: QueuePlace & { isToNote: boolean; acknowledged: readonly string[] },
  context: CommandContext,
): Promise<void> {
  if (isToNote) {
    // Locked before its deliveries, in the same order as when it is disabled.
    const endpoint = await requireEndpoint(em, place);
    if (endpoint.status === 'failing') await correctEndpoint(em, endpoint, context);
    em.assign(endpoint, { readAt: context.now });
    await em.flush();
  }
  if (acknowledged.length > 0) await acknowledgeDeliveries(em, place, acknowledged);
}

/** The next deliveries in the queue, each with its event and headers as a POST would have them, and their event types. */
export async function queuePage(em: EntityManager, place: QueuePlace, limit: number, signedAt: Date) {
  const { tenantId } = place;
  const queued = await queuedDeliveries(em, place, limit);
  if (queued.length === 0) return { items: [], eventTypes: [] };
  const secrets = (await readSecrets(em, place)).map(({ secret }) => secret);
  const cipher = await cipherOf(em, tenantId);
  const items = await inSlices(
    tenantId,
    queued,
    ({ deliveryId, eventId, eventType, body: sealed, createdAt }) => {
      const body = openBody(cipher, { tenantId, id: eventId, createdAt, body: sealed });
      const headers = deliveryHeaders({
        secrets,
        signedAt,
        body,
        eventId,
        eventType,
        deliveryId,
        attempt: 1,
      });
      return { deliveryId, event: body, headers };
    },
  );
  return { items, eventTypes: queued.map(({ eventType }) => eventType) };
}
