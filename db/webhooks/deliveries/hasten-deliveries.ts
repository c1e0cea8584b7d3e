import { sql } from 'kysely';
import { z } from 'zod';
import { columnsOf } from '../../connection/columns.ts';
import { stopDelivery } from '../../outbox/insert-messages.ts';
import type { EndpointIds } from '../endpoints/endpoint-deactivation.ts';
import { PAUSED_ENDPOINTS } from '../endpoints/paused-endpoints.ts';
import { firstRow, rowsOf, run, type EntityManager } from '../../connection/statements.ts';

/** An open delivery whose next attempt was moved forward. */
const HASTENED_DELIVERY = columnsOf(
  'webhook_delivery',
  'tenantId',
  'endpointId',
  'eventType',
  'appointmentId',
).extend({ deliveryId: z.string(), workflowId: z.string(), status: z.enum(['pending', 'retrying']) });

const HASTENED = sql`
  delivery.id AS delivery_id, delivery.tenant_id, delivery.endpoint_id, delivery.event_type, delivery.appointment_id,
  delivery.workflow_id, delivery.status
`;

/**
 * Makes an open delivery due now; null when it is not open, waits in a queue, its endpoint is paused, or the clinic does
 * not have it.
 */
export function hastenDelivery(em: EntityManager, tenantId: string, deliveryId: string) {
  return firstRow(em, HASTENED_DELIVERY)`
    UPDATE webhook_delivery delivery
    SET next_attempt_at = least(next_attempt_at, statement_timestamp()), updated_at = clock_timestamp()
    WHERE tenant_id = ${tenantId}
      AND id = ${deliveryId}
      AND status IN ('pending', 'retrying')
      AND workflow_id IS NOT NULL
      AND endpoint_id NOT IN ${PAUSED_ENDPOINTS}
    RETURNING ${HASTENED}
  `;
}

const WAITING_RETRIES = z.object({
  endpointId: z.string(),
  /** Made so far. */
  attempts: z.number(),
  deliveries: z.number(),
});

/** Deliveries of an endpoint that wait for the same attempt. */
export type WaitingRetries = z.infer<typeof WAITING_RETRIES>;

/** The deliveries that wait for a retry that is not due, by endpoint and attempts; of each endpoint up to `atMost`. */
export function countRetries(em: EntityManager, endpointIds: readonly string[], atMost: number) {
  return rowsOf(em, WAITING_RETRIES)`
    SELECT endpoint.id AS endpoint_id, waiting.attempt_count AS attempts, count(*)::integer AS deliveries
    FROM unnest(${[...endpointIds]}::uuid[]) AS endpoint (id)
    CROSS JOIN LATERAL (
      SELECT attempt_count
      FROM webhook_delivery
      WHERE endpoint_id = endpoint.id
        AND status = 'retrying'
        AND next_attempt_at > statement_timestamp()
      LIMIT ${atMost}
    ) waiting
    GROUP BY endpoint.id, waiting.attempt_count
    ORDER BY endpoint.id, waiting.attempt_count
  `;
}

/** Makes the oldest waiting retries of an endpoint due now, in the order of their events. */
export async function hastenRetries(em: EntityManager, endpointId: string, atMost: number) {
  const rows = await rowsOf(em, HASTENED_DELIVERY)`
    WITH waiting AS (
      SELECT id
      FROM webhook_delivery
      WHERE endpoint_id = ${endpointId}
        AND status = 'retrying'
        AND next_attempt_at > statement_timestamp()
      ORDER BY id
      LIMIT ${atMost}
      FOR NO KEY UPDATE
    )
    UPDATE webhook_delivery delivery
    SET next_attempt_at = statement_timestamp(), updated_at = clock_timestamp()
    FROM waiting
    WHERE delivery.id = waiting.id
    RETURNING ${HASTENED}
  `;
  return rows.toSorted((one, other) => (one.deliveryId < other.deliveryId ? -1 : 1));
}

const DUE_RETRY = z.object({ deliveryId: z.string(), workflowId: z.string() });
export type DueRetry = z.infer<typeof DUE_RETRY>;

/** The next retries are chosen from this many that have waited longest. */
const NEXT = 100;

/**
 * Some of an endpoint's longest-waiting retries, chosen at random, because other workers look for them too; none while
 * it is paused.
 */
export function findDueRetries(
  em: EntityManager,
  { endpointId, except, limit }: { endpointId: string; except: readonly string[]; limit: number },
) {
  return rowsOf(em, DUE_RETRY)`
    SELECT id AS delivery_id, workflow_id
    FROM (
      SELECT id, workflow_id
      FROM webhook_delivery
      WHERE endpoint_id = ${endpointId}
        AND status = 'retrying'
        AND next_attempt_at <= statement_timestamp()
        AND id <> ALL(${[...except]}::uuid[])
        AND endpoint_id NOT IN ${PAUSED_ENDPOINTS}
      ORDER BY next_attempt_at
      LIMIT ${NEXT}
    ) longest
    ORDER BY random()
    LIMIT ${limit}
  `;
}

/**
 * Asks the workflows of the longest-waiting due retries of an endpoint to look at its row again: its pause has changed.
 * These few start the others (`activities/deferred-retries.ts`).
 */
export function wakeDueRetries(em: EntityManager, { tenantId, endpointId }: EndpointIds) {
  return run(em)`
    INSERT INTO outbox (message)
    SELECT ${stopDelivery(tenantId)}
    FROM webhook_delivery
    WHERE tenant_id = ${tenantId}
      AND endpoint_id = ${endpointId}
      AND status = 'retrying'
      AND next_attempt_at <= clock_timestamp()
    ORDER BY next_attempt_at
    LIMIT ${NEXT}
  `;
}
