import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { stopDelivery } from '../../outbox/insert-messages.ts';
import type { OutboxMessage } from '../../../domain/outbox-message.ts';
import { onlyValue, valuesOf, type EntityManager } from '../../connection/statements.ts';
import type { EndpointIds } from './endpoint-deactivation.ts';

/** How many deliveries one statement skips: less than a second of work. */
export const SKIPPED_AT_ONCE = 500;

/** A condition on an `endpoint` of this `tenant`: nothing is sent to it. */
const IS_OFF = sql`
  (endpoint.status NOT IN ('active', 'failing') OR endpoint.deleted_at IS NOT NULL OR tenant.status = 'canceled')
`;

/** Disabled endpoints with open deliveries, and when they were disabled at the latest. */
export const OFF_WITH_OPEN_DELIVERIES = sql`
  SELECT endpoint.id, greatest(endpoint.updated_at, tenant.updated_at) AS off_since
  FROM webhook_endpoint endpoint
  JOIN tenant ON tenant.id = endpoint.tenant_id
  WHERE ${IS_OFF}
    AND EXISTS (
      SELECT
      FROM webhook_delivery open
      WHERE open.endpoint_id = endpoint.id
        AND open.status IN ('pending', 'retrying')
    )
`;

/**
 * Ends open deliveries as skipped: those of one endpoint that was just disabled, or of all endpoints of a cancelled
 * clinic. It does not wait for locked rows and ends at most `limit` deliveries. If some are left, or workflows wait for
 * a retry, the endpoint's workflow continues (`skipNextDeliveries`, `stopSkippedWorkflows`). First attempts that have
 * not begun are removed from the outbox. Returns how many deliveries were ended.
 */
export function skipOpenDeliveries(
  em: EntityManager,
  { tenantId, endpointId = null }: { tenantId: string; endpointId?: string | null },
  limit = SKIPPED_AT_ONCE,
): Promise<number> {
  const kind: OutboxMessage['kind'] = 'endpointSwitchedOff';
  const moment = sql`(SELECT at FROM moment)`;
  return onlyValue(em, z.number())`
    WITH moment AS (
      SELECT clock_timestamp()::timestamptz(3) AS at
    ), endpoint AS (
      SELECT id
      FROM webhook_endpoint
      WHERE tenant_id = ${tenantId}
        AND (${endpointId}::uuid IS NULL OR id = ${endpointId}::uuid)
    ), page AS (
      SELECT open.id
      FROM endpoint
      CROSS JOIN LATERAL (
        SELECT id
        FROM webhook_delivery
        WHERE endpoint_id = endpoint.id
          AND status IN ('pending', 'retrying')
        ORDER BY id
        LIMIT ${limit}
        FOR NO KEY UPDATE SKIP LOCKED
      ) open
      LIMIT ${limit}
    ), ${skipped(tenantId, moment)}, unsettled AS (
      SELECT id
      FROM endpoint
      WHERE id IN (SELECT endpoint_id FROM skipped WHERE attempt_count > 0)
        OR EXISTS (
          SELECT
          FROM webhook_delivery left_open
          WHERE left_open.endpoint_id = endpoint.id
            AND left_open.status IN ('pending', 'retrying')
            AND left_open.id NOT IN (SELECT id FROM page)
        )
    ), asked AS (
      INSERT INTO outbox (ordering_key, message)
      SELECT 'endpoint:' || unsettled.id, jsonb_build_object(
        'kind', ${kind}::text,
        'endpointId', unsettled.id,
        'clinicId', ${tenantId}::text,
        'at', to_char(moment.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      FROM moment, unsettled
    )
    SELECT count(*)::integer AS skipped FROM skipped
  `;
}

/**
 * Skips the next open deliveries of a disabled endpoint, dated `switchedOffAt`. Returns how many: fewer than `limit`
 * when none is left, and none once the endpoint is enabled again.
 */
export function skipNextDeliveries(
  em: EntityManager,
  { tenantId, endpointId }: EndpointIds,
  { switchedOffAt, limit }: { switchedOffAt: string; limit: number },
): Promise<number> {
  return onlyValue(em, z.number())`
    WITH off AS (
      SELECT endpoint.id
      FROM webhook_endpoint endpoint
      JOIN tenant ON tenant.id = endpoint.tenant_id
      WHERE endpoint.tenant_id = ${tenantId}
        AND endpoint.id = ${endpointId}
        AND ${IS_OFF}
      -- Until this commits, no request enables it.
      FOR SHARE OF endpoint
    ), page AS (
      SELECT id
      FROM webhook_delivery
      WHERE endpoint_id = (SELECT id FROM off)
        AND status IN ('pending', 'retrying')
      ORDER BY id
      LIMIT ${limit}
      FOR NO KEY UPDATE
    ), ${skipped(tenantId, sql`${switchedOffAt}::timestamptz`)}
    SELECT count(*)::integer AS skipped FROM skipped
  `;
}

/**
 * Stops the workflows of one page of deliveries that were skipped at `switchedOffAt` while they waited for a retry.
 * Returns the last delivery of a full page, to continue after; null after the last page.
 */
export async function stopSkippedWorkflows(
  em: EntityManager,
  { tenantId, endpointId }: EndpointIds,
  page: { switchedOffAt: string; after: string | null; limit: number },
): Promise<string | null> {
  const ids = await valuesOf(em, z.string())`
    WITH page AS (
      SELECT id, workflow_id
      FROM webhook_delivery
      WHERE tenant_id = ${tenantId}
        AND endpoint_id = ${endpointId}
        AND status = 'skipped'
        AND updated_at = ${page.switchedOffAt}::timestamptz
        AND attempt_count > 0
        AND (${page.after}::uuid IS NULL OR id > ${page.after}::uuid)
      ORDER BY id
      LIMIT ${page.limit}
    ), asked AS (
      INSERT INTO outbox (message)
      SELECT ${stopDelivery(tenantId)}
      FROM page
    )
    SELECT id FROM page ORDER BY id
  `;
  return ids.length < page.limit ? null : (ids.at(-1) ?? null);
}

/** Statement parts that end in `skipped`: the locked deliveries of `page` end at `at`. */
function skipped(tenantId: string, at: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    skipped AS (
      UPDATE webhook_delivery delivery
      SET status = 'skipped', next_attempt_at = NULL, updated_at = ${at}
      FROM page
      WHERE delivery.id = page.id
      RETURNING delivery.id, delivery.endpoint_id, delivery.attempt_count
    ), taken_back AS (
      DELETE FROM outbox
      USING skipped
      WHERE outbox.message ->> 'deliveryId' = skipped.id::text
        AND outbox.clinic_id = ${tenantId}
        AND NOT outbox.attempted
        AND outbox.claimed_by IS NULL
    )
  `;
}
