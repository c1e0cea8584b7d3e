import { sql } from 'kysely';
import type { DeliveryIds } from '../../../domain/outbox-message.ts';
import {
  countUpTo,
  firstRow,
  rowsOf,
  tables,
  type EntityManager,
  type RowOf,
} from '../../connection/statements.ts';

/** An open delivery whose next attempt was brought forward. */
export interface HastenedDelivery extends DeliveryIds, RowOf<'webhook_delivery', 'workflowId'> {
  status: Extract<RowOf<'webhook_delivery'>['status'], 'pending' | 'retrying'>;
}

const HASTENED = sql`
  delivery.id AS delivery_id, delivery.tenant_id, delivery.endpoint_id, delivery.event_type, delivery.appointment_id,
  delivery.workflow_id, delivery.status
`;

/** Makes an open delivery due now; null when it is not open or the clinic has no such delivery. */
export function hastenDelivery(em: EntityManager, tenantId: string, deliveryId: string) {
  return firstRow<HastenedDelivery>(tables(em))`
    UPDATE webhook_delivery delivery
    SET next_attempt_at = least(next_attempt_at, statement_timestamp()), updated_at = clock_timestamp()
    WHERE tenant_id = ${tenantId}
      AND id = ${deliveryId}
      AND status IN ('pending', 'retrying')
    RETURNING ${HASTENED}
  `;
}

/**
 * How many deliveries wait for a retry to an endpoint that is not due yet; counts no further than `atMost`.
 * @param leastAttempts only those that were attempted so often
 */
export function countRetries(em: EntityManager, endpointId: string, atMost: number, leastAttempts = 1) {
  const retrying = tables(em).selectFrom('webhook_delivery').where('status', '=', 'retrying');
  const waiting = retrying
    .where('endpointId', '=', endpointId)
    .where('nextAttemptAt', '>', sql<Date>`statement_timestamp()`)
    .where('attemptCount', '>=', leastAttempts);
  return countUpTo(em, waiting, atMost);
}

/** Makes the oldest deliveries due now that wait for a retry to an endpoint; in the order of their events. */
export async function hastenRetries(em: EntityManager, endpointId: string, atMost: number) {
  const rows = await rowsOf<HastenedDelivery>(tables(em))`
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

export interface DueRetry extends RowOf<'webhook_delivery', 'workflowId'> {
  deliveryId: string;
}

/** So many of those that have waited longest may be next. */
const NEXT = 100;

/** Some of the retries of an endpoint that have waited longest: by chance, because other workers look for the next ones too. */
export function findDueRetries(
  em: EntityManager,
  { endpointId, except, limit }: { endpointId: string; except: readonly string[]; limit: number },
) {
  return rowsOf<DueRetry>(tables(em))`
    SELECT id AS delivery_id, workflow_id
    FROM (
      SELECT id, workflow_id
      FROM webhook_delivery
      WHERE endpoint_id = ${endpointId}
        AND status = 'retrying'
        AND next_attempt_at <= statement_timestamp()
        AND id <> ALL(${[...except]}::uuid[])
      ORDER BY next_attempt_at
      LIMIT ${NEXT}
    ) longest
    ORDER BY random()
    LIMIT ${limit}
  `;
}
