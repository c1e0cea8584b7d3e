import { sql, type RawBuilder } from 'kysely';
import { orderingKey, type OutboxMessage } from '../../domain/outbox-message.ts';
import { changedRows, run, type EntityManager } from '../connection/statements.ts';

/** Asks Temporal for these, in their order, once the caller's transaction has committed. */
export function insertOutboxMessages(em: EntityManager, ...messages: OutboxMessage[]) {
  return run(em)`
    INSERT INTO outbox (ordering_key, message, due_at)
    SELECT ordering_key, message, ${timerDueAt(sql.ref('message'))}
    FROM unnest(
      ${messages.map(orderingKey)}::text[],
      ${messages.map((message) => JSON.stringify(message))}::jsonb[]
    ) AS asked (ordering_key, message)
  `;
}

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
export async function askAgain(em: EntityManager, by: OutboxSubject, messages: readonly OutboxMessage[]) {
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

/**
 * The message that asks for the delivery in a row called `delivery`. Its id says all; clinic and endpoint are what the
 * outbox takes turns by, and operators are shown the rest.
 */
export const START_DELIVERY = sql`jsonb_build_object(
  'kind', 'startDelivery',
  'deliveryId', delivery.id,
  'workflowId', delivery.workflow_id,
  'clinicId', delivery.tenant_id,
  'endpointId', delivery.endpoint_id,
  'appointmentId', delivery.appointment_id)`;

/**
 * Asks for these deliveries, whose rows must be locked or new, except where an unfinished outbox row does already; returns
 * how many were asked for.
 */
export function askForDeliveries(em: EntityManager, ids: readonly string[]) {
  return changedRows(em)`
    INSERT INTO outbox (message)
    SELECT ${START_DELIVERY}
    FROM webhook_delivery delivery
    WHERE delivery.id = ANY(${[...ids]}::uuid[])
      AND ${isNotInOutbox('deliveryId', sql`delivery.id::text`)}
    ORDER BY delivery.id
  `;
}

/** When the timer fires that a message (jsonb) starts; null for every other message. */
export function timerDueAt(message: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(${message} ->> 'dueAt')::timestamptz`;
}
