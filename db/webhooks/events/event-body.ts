import type { EntityManager } from '../../connection/open-database.ts';
import { WebhookEventEntity } from '../../entities/webhook-event.entity.ts';
import { openEvent } from './sealed-body.ts';

/**
 * What an event says, as it is sent; null when it is no longer kept, or the clinic has no such event.
 * @throws SecretUnreadableError
 */
export async function findEventBody(em: EntityManager, tenantId: string, id: string): Promise<string | null> {
  const event = await em.findOne(WebhookEventEntity, { tenantId, id });
  return event && (await openEvent(em, event)).body;
}
