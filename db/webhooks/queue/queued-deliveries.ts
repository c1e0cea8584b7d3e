import { sql } from 'kysely';
import { z } from 'zod';
import { MAX_PAGE_BYTES } from '../../../domain/lists/largest-page.ts';
import { columnsOf } from '../../connection/columns.ts';
import { changedRows, rowsOf, valuesOf, type EntityManager } from '../../connection/statements.ts';
import type { EndpointIds } from '../endpoints/endpoint-deactivation.ts';

/** A delivery that waits to be read, with its event's encrypted body. */
const QUEUED_DELIVERY = columnsOf('webhook_delivery', 'eventId', 'eventType').extend({
  deliveryId: z.string(),
  body: z.string(),
  /** Of the event. */
  createdAt: z.date(),
});

/** On a delivery: it waits. As the index of open deliveries has it. */
export const IS_WAITING = sql`status IN ('pending', 'retrying')`;

/** The first deliveries in an endpoint's queue, oldest first. A page ends early at `MAX_PAGE_BYTES`. */
export function queuedDeliveries(em: EntityManager, { tenantId, endpointId }: EndpointIds, limit: number) {
  return rowsOf(em, QUEUED_DELIVERY)`
    SELECT delivery_id, event_id, event_type, body, created_at
    FROM (
      SELECT
        delivery.id AS delivery_id, delivery.event_id, delivery.event_type, event.body, event.created_at,
        sum(octet_length(event.body)) OVER (ORDER BY delivery.id) - octet_length(event.body) AS bytes_before
      FROM webhook_delivery delivery
      JOIN webhook_event event ON event.id = delivery.event_id
      WHERE delivery.tenant_id = ${tenantId}
        AND delivery.endpoint_id = ${endpointId}
        AND delivery.${IS_WAITING}
        AND event.body IS NOT NULL
      ORDER BY delivery.id
      LIMIT ${limit}
    ) sized
    WHERE bytes_before < ${MAX_PAGE_BYTES}
    ORDER BY delivery_id
  `;
}

/**
 * Ends deliveries that a system has read as succeeded, also those that were skipped meanwhile. Returns how many.
 */
export function acknowledgeDeliveries(
  em: EntityManager,
  { tenantId, endpointId }: EndpointIds,
  ids: readonly string[],
): Promise<number> {
  return changedRows(em)`
    WITH read AS (
      SELECT id
      FROM webhook_delivery
      WHERE id = ANY(${[...ids]}::uuid[])
        AND tenant_id = ${tenantId}
        AND endpoint_id = ${endpointId}
        AND workflow_id IS NULL
        AND status IN ('pending', 'skipped')
      ORDER BY id
      FOR NO KEY UPDATE
    )
    UPDATE webhook_delivery
    SET status = 'succeeded', updated_at = clock_timestamp()
    FROM read
    WHERE webhook_delivery.id = read.id
  `;
}

/** Those of these endpoints that have deliveries waiting. Each is looked up by its key: see docs/decisions/0031. */
export function endpointsWithQueue(em: EntityManager, endpointIds: readonly string[]) {
  return valuesOf(em, z.string())`
    SELECT asked.id
    FROM unnest(${[...endpointIds]}::uuid[]) AS asked (id)
    CROSS JOIN LATERAL (
      SELECT FROM webhook_delivery WHERE endpoint_id = asked.id AND ${IS_WAITING} LIMIT 1
    ) queued
  `;
}
