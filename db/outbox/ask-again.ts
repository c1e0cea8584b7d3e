import { sql, type RawBuilder } from 'kysely';
import { orderingKey, type OutboxMessage } from '../../domain/outbox-message.ts';
import { changedRows, type EntityManager } from '../connection/statements.ts';
import { timerDueAt } from './timer-due-at.ts';

/** What tells which row an outbox message is about. */
export type OutboxSubject = 'ordering_key' | 'deliveryId' | 'replayId';

/** A condition: no unfinished outbox row is about `subject`, a text expression; such a row will start the workflow itself. */
export function isNotInOutbox(by: OutboxSubject, subject: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`NOT EXISTS (SELECT FROM outbox unfinished WHERE ${subjectOf('unfinished', by)} = ${subject})`;
}

/**
 * Asks Temporal for each of these once more, except where an unfinished row is about the same; returns how many were
 * asked. The rows that they are about must be locked, or another reconciliation could ask at the same time.
 */
export async function askAgain(
  em: EntityManager,
  by: OutboxSubject,
  messages: readonly OutboxMessage[],
): Promise<number> {
  const rows = messages.map((message) => ({ ordering_key: orderingKey(message), message }));
  return changedRows(em)`
    INSERT INTO outbox (ordering_key, message, due_at)
    SELECT ordering_key, message, ${timerDueAt(sql.ref('message'))}
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS asked (ordering_key text, message jsonb)
    WHERE ${isNotInOutbox(by, subjectOf('asked', by))}
  `;
}

function subjectOf(table: 'unfinished' | 'asked', by: OutboxSubject): RawBuilder<unknown> {
  if (by === 'ordering_key') return sql`${sql.ref(table)}.ordering_key`;
  return sql`${sql.ref(table)}.message ->> ${sql.lit(by)}`;
}
