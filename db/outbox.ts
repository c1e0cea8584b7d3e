import { sql } from 'kysely';
import { orderingKey, type OutboxMessage } from '../domain/outbox-message.ts';
import type { Sql } from './open-database.ts';

/** Asks Temporal for something, as part of the transaction that made it necessary. Lock the aggregate's row first. */
export async function appendToOutbox(tx: Sql, messages: readonly OutboxMessage[]): Promise<void> {
  if (messages.length === 0) return;
  const rows = messages.map((message) => sql`(${orderingKey(message)}, ${JSON.stringify(message)}::jsonb)`);
  await sql`
    INSERT INTO outbox (ordering_key, message)
    VALUES ${sql.join(rows)}
  `.execute(tx.getKysely());
}
