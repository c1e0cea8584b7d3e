import { orderingKey, type OutboxMessage } from '../../domain/outbox-message.ts';
import { run, type EntityManager } from '../connection/statements.ts';

/** Asks Temporal for these, in their order, once the caller's transaction has committed. */
export function insertOutboxMessages(em: EntityManager, ...messages: OutboxMessage[]) {
  return run(em)`
    INSERT INTO outbox (ordering_key, message)
    SELECT ordering_key, message::jsonb
    FROM unnest(
      ${messages.map(orderingKey)}::text[],
      ${messages.map((message) => JSON.stringify(message))}::text[]
    ) AS asked (ordering_key, message)
  `;
}
