import type { EntityManager } from '../../connection/open-database.ts';
import { WebhookEventEntity } from '../../entities/webhook-event.entity.ts';

/** What an event says, perhaps sealed; null when it is no longer kept, or the clinic has no such event. */
export async function findEventBody(em: EntityManager, tenantId: string, id: string): Promise<string | null> {
  const event = await em.findOne(WebhookEventEntity, { tenantId, id }, { fields: ['body'] });
  return event?.body ?? null;
}
