import { sql } from 'kysely';
import { orderingKey, type OutboxMessage } from '../../domain/outbox-message.ts';
import type { EntityManager } from '../connection/open-database.ts';

/** Asks Temporal for something once the caller's transaction has committed. */
export function insertOutboxMessage(em: EntityManager, message: OutboxMessage): Promise<void> {
  return insertOutboxMessages(em, [message]);
}

/** The same for many, in their order. */
export async function insertOutboxMessages(
  em: EntityManager,
  messages: readonly OutboxMessage[],
): Promise<void> {
  await sql`
    INSERT INTO outbox (ordering_key, message)
    SELECT ordering_key, message::jsonb
    FROM unnest(
      ${messages.map(orderingKey)}::text[],
      ${messages.map((message) => JSON.stringify(message))}::text[]
    ) AS asked (ordering_key, message)
  `.execute(em.getKysely());
}
