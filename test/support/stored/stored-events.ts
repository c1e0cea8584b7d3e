import type { FilterQuery } from '@mikro-orm/postgresql';
import type { Database } from '../../../db/connection/open-database.ts';
import {
  WebhookEventEntity,
  type WebhookEventRow,
} from '../../../db/entities/webhooks/webhook-event.entity.ts';
import { openEvent, type OpenedEvent } from '../../../db/webhooks/events/sealed-body.ts';

/** Events with decrypted bodies, in order of ids. */
export async function storedEvents(
  database: Pick<Database, 'em'>,
  where: FilterQuery<WebhookEventRow>,
): Promise<OpenedEvent[]> {
  const em = database.em();
  const events = await em.find(WebhookEventEntity, where, { orderBy: { id: 'asc' } });
  return Promise.all(events.map((event) => openEvent(em, event)));
}

/** What they say, by the ids of the events, in the same order. */
export async function storedBodies<Body>(
  database: Pick<Database, 'em'>,
  where: FilterQuery<WebhookEventRow>,
): Promise<Map<string, Body>> {
  const events = await storedEvents(database, where);
  return new Map(events.map(({ id, body }) => [id, JSON.parse(body ?? '') as Body]));
}
