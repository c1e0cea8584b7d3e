import { sql } from 'kysely';
import { orderingKey, type OutboxMessage } from '../../domain/outbox-message.ts';
import type { EntityManager } from '../connection/open-database.ts';

/** Asks Temporal for something once the caller's transaction has committed. */
export async function insertOutboxMessage(em: EntityManager, message: OutboxMessage): Promise<void> {
  await sql`
    INSERT INTO outbox (ordering_key, message)
    VALUES (${orderingKey(message)}, ${JSON.stringify(message)}::jsonb)
  `.execute(em.getKysely());
}
