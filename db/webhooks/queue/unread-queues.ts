import { sql } from 'kysely';
import { z } from 'zod';
import type { OutboxMessage } from '../../../domain/outbox-message.ts';
import { firstIdAt } from '../../../domain/first-id.ts';
import { changedRows, rowsOf, type EntityManager } from '../../connection/statements.ts';
import { CHANGED_ENDPOINT, CHANGED_ENDPOINT_COLUMNS, failingMail } from '../endpoints/endpoint-verdicts.ts';
import { IS_WAITING } from './queued-deliveries.ts';

/** How many endpoints one statement changes. */
const AT_ONCE = 100;

/** The pull endpoints that are not deleted. */
const PULL_ENDPOINTS = sql`endpoint.url IS NULL AND endpoint.deleted_at IS NULL`;

/**
 * Marks active pull endpoints as failing that were not read for `graceSeconds`, while a delivery waited for as long, and
 * notifies their clinics. Returns them.
 */
export function markUnreadFailing(em: EntityManager, now: Date, graceSeconds: number) {
  const kind: OutboxMessage['kind'] = 'endpointFailing';
  const long = sql`${now}::timestamptz - make_interval(secs => ${graceSeconds})`;
  return rowsOf(em, CHANGED_ENDPOINT)`
    WITH unread AS (
      SELECT endpoint.id
      FROM webhook_endpoint endpoint
      CROSS JOIN LATERAL (
        SELECT created_at
        FROM webhook_delivery
        WHERE endpoint_id = endpoint.id
          AND ${IS_WAITING}
        ORDER BY id
        LIMIT 1
      ) oldest
      WHERE ${PULL_ENDPOINTS}
        AND endpoint.status = 'active'
        AND greatest(endpoint.read_at, endpoint.corrected_at, endpoint.created_at) <= ${long}
        AND oldest.created_at <= ${long}
      LIMIT ${AT_ONCE}
      FOR NO KEY UPDATE OF endpoint SKIP LOCKED
    ), endpoint AS (
      UPDATE webhook_endpoint
      SET status = 'failing', failing_since = ${now}::timestamptz, deactivate_at = NULL, updated_at = ${now}::timestamptz
      WHERE id IN (SELECT id FROM unread)
      RETURNING ${CHANGED_ENDPOINT_COLUMNS}
    ), notified AS (
      INSERT INTO notification (id, tenant_id, kind, endpoint_id, mail, created_at)
      SELECT uuid_v7(), endpoint.tenant_id, 'endpoint_failing', endpoint.id, ${failingMail(now)}, ${now}::timestamptz
      FROM endpoint
      JOIN tenant ON tenant.id = endpoint.tenant_id
    ), asked AS (
      INSERT INTO outbox (ordering_key, message)
      SELECT 'endpoint:' || id, jsonb_build_object(
        'kind', ${kind}::text, 'endpointId', id, 'clinicId', tenant_id, 'deactivateAt', NULL)
      FROM endpoint
    )
    SELECT * FROM endpoint
  `;
}

/** Ends up to `limit` deliveries that were created before then, and still wait in a queue, as skipped; returns how many. */
export function skipQueuedBefore(em: EntityManager, before: Date, limit: number) {
  return changedRows(em)`
    UPDATE webhook_delivery
    SET status = 'skipped', updated_at = clock_timestamp()
    WHERE id IN (
      SELECT old.id
      FROM webhook_endpoint endpoint
      CROSS JOIN LATERAL (
        SELECT id
        FROM webhook_delivery
        WHERE endpoint_id = endpoint.id
          AND ${IS_WAITING}
          AND id < ${firstIdAt(before, 0)}
        ORDER BY id
        LIMIT ${limit}
        FOR NO KEY UPDATE SKIP LOCKED
      ) old
      WHERE ${PULL_ENDPOINTS}
      LIMIT ${limit}
    )
  `;
}

/** How far behind the reader of a pull endpoint is. */
const QUEUE_LAG = z.object({
  id: z.string(),
  /** Counted up to `atMost`. */
  waiting: z.number(),
  /** Null when nothing waits. */
  oldestAt: z.date().nullable(),
});
export type QueueLag = z.infer<typeof QUEUE_LAG>;

interface WantedLags {
  tenantId: string;
  /** Of one endpoint; all of the clinic's by default. */
  endpointId?: string;
  /** Where counting stops. */
  atMost: number;
}

/** For each of the clinic's pull endpoints, by id. */
export async function findQueueLags(em: EntityManager, { tenantId, endpointId, atMost }: WantedLags) {
  const rows = await rowsOf(em, QUEUE_LAG)`
    SELECT endpoint.id, queue.waiting, queue.oldest_at
    FROM webhook_endpoint endpoint
    CROSS JOIN LATERAL (
      SELECT count(*)::integer AS waiting, min(created_at) AS oldest_at
      FROM (
        SELECT created_at
        FROM webhook_delivery
        WHERE endpoint_id = endpoint.id
          AND ${IS_WAITING}
        ORDER BY id
        LIMIT ${atMost}
      ) AS counted
    ) AS queue
    WHERE ${PULL_ENDPOINTS}
      AND endpoint.tenant_id = ${tenantId}
      AND ${endpointId === undefined ? sql`true` : sql`endpoint.id = ${endpointId}`}
  `;
  return new Map(rows.map((lag) => [lag.id, lag]));
}
