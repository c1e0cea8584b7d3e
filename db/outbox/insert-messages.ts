import { sql, type RawBuilder } from 'kysely';
import { orderingKey, type OutboxMessage } from '../../domain/outbox-message.ts';
import { changedRows, run, type EntityManager } from '../connection/statements.ts';

/** Adds messages for Temporal, in order; they are sent after the caller's transaction commits. */
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

/** The field that identifies what a message is about. */
export type OutboxSubject = 'ordering_key' | 'deliveryId' | 'replayId';

/**
 * A condition: no unfinished outbox row is about `subject`, a text expression. Such a row would start the workflow
 * itself.
 */
export function isNotInOutbox(by: OutboxSubject, subject: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`NOT EXISTS (SELECT FROM outbox unfinished WHERE ${subjectOf('unfinished', by)} = ${subject})`;
}

/**
 * Adds each message again, unless an unfinished row is about the same subject; returns how many. The subjects' rows
 * must be locked, because a concurrent reconciliation could add the same.
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
 * The message for the row `delivery`. The delivery's ID would be enough; clinic and endpoint are for fair ordering, and
 * the other fields are for operators.
 */
export const START_DELIVERY = sql`jsonb_build_object(
  'kind', 'startDelivery',
  'deliveryId', delivery.id,
  'workflowId', delivery.workflow_id,
  'clinicId', delivery.tenant_id,
  'endpointId', delivery.endpoint_id,
  'appointmentId', delivery.appointment_id)`;

/** The message that makes a delivery's workflow read its row again, for a SELECT from deliveries. */
export function stopDelivery(tenantId: string) {
  const kind: OutboxMessage['kind'] = 'stopDelivery';
  return sql`jsonb_build_object('kind', ${kind}::text, 'workflowId', workflow_id, 'clinicId', ${tenantId}::text)`;
}

/**
 * Adds messages for these deliveries, whose rows must be locked or new, unless an unfinished row exists; returns how
 * many.
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

/** When the timer in a message (jsonb) fires; null for other messages. */
export function timerDueAt(message: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(${message} ->> 'dueAt')::timestamptz`;
}
