import type { OutboxMessage } from '../../../domain/outbox-message.ts';
import { changedRows, rowsOf, run, tables, type EntityManager } from '../../connection/statements.ts';

export interface EndpointIds {
  tenantId: string;
  endpointId: string;
}

/** Switches a failing endpoint off when its time has come, with a notification; returns whether it did. */
export async function deactivateWhenDue(em: EntityManager, endpoint: EndpointIds, now: Date) {
  const changed = await changedRows(em)`
    WITH endpoint AS (
      UPDATE webhook_endpoint
      SET status = 'deactivated', updated_at = ${now}::timestamptz
      WHERE tenant_id = ${endpoint.tenantId}
        AND id = ${endpoint.endpointId}
        AND status = 'failing'
        AND deactivate_at <= ${now}::timestamptz
      RETURNING id, tenant_id, url, deactivate_at
    )
    INSERT INTO notification (id, tenant_id, kind, endpoint_id, endpoint_url, deactivate_at, mail, created_at)
    SELECT
      uuid_v7(), endpoint.tenant_id, 'endpoint_deactivated', endpoint.id, split_part(endpoint.url, '?', 1),
      endpoint.deactivate_at, CASE WHEN tenant.email IS NULL THEN 'no_address' ELSE 'due' END, ${now}::timestamptz
    FROM endpoint
    JOIN tenant ON tenant.id = endpoint.tenant_id
  `;
  return changed > 0;
}

/**
 * Ends open deliveries as skipped, of one endpoint or of all that a clinic has. First attempts that have not begun are
 * taken back; workflows that sleep until a retry hear of it through their endpoint's workflow, in pages; whoever else is at
 * work finds the row when it comes to it.
 */
export async function skipOpenDeliveries(
  em: EntityManager,
  { tenantId, endpointId = null }: { tenantId: string; endpointId?: string | null },
): Promise<void> {
  const kind: OutboxMessage['kind'] = 'endpointSwitchedOff';
  await run(em)`
    WITH moment AS (
      SELECT clock_timestamp()::timestamptz(3) AS at
    ), endpoint AS (
      SELECT id
      FROM webhook_endpoint
      WHERE tenant_id = ${tenantId}
        AND (${endpointId}::uuid IS NULL OR id = ${endpointId}::uuid)
    ), open AS (
      SELECT delivery.id
      FROM webhook_delivery delivery
      JOIN endpoint ON endpoint.id = delivery.endpoint_id
      WHERE delivery.tenant_id = ${tenantId}
        AND delivery.status IN ('pending', 'retrying')
      ORDER BY delivery.id
      FOR NO KEY UPDATE OF delivery
    ), skipped AS (
      UPDATE webhook_delivery delivery
      SET status = 'skipped', next_attempt_at = NULL, updated_at = moment.at
      FROM moment, open
      WHERE delivery.id = open.id
      RETURNING delivery.endpoint_id, delivery.attempt_count
    ), taken_back AS (
      DELETE FROM outbox
      USING endpoint
      WHERE outbox.clinic_id = ${tenantId}
        AND outbox.endpoint_id = endpoint.id
        AND NOT outbox.attempted
        AND outbox.claimed_by IS NULL
    )
    INSERT INTO outbox (ordering_key, message)
    SELECT 'endpoint:' || retried.endpoint_id, jsonb_build_object(
      'kind', ${kind}::text,
      'endpointId', retried.endpoint_id,
      'clinicId', ${tenantId}::text,
      'at', to_char(moment.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    FROM moment, (SELECT DISTINCT endpoint_id FROM skipped WHERE attempt_count > 0) retried
  `;
}

/** Undefined when the clinic never had such an endpoint. */
export function findEndpointHealth(em: EntityManager, { tenantId, endpointId }: EndpointIds) {
  const health = tables(em).selectFrom('webhook_endpoint').select(['status', 'deactivateAt']);
  return health.where('tenantId', '=', tenantId).where('id', '=', endpointId).executeTakeFirst();
}

/**
 * Asks the workflows of one page of deliveries, skipped at `switchedOffAt` while they slept until a retry, to stop.
 * Returns the last delivery of a full page, after which to go on; null after the last page.
 */
export async function askSkippedToStop(
  em: EntityManager,
  { tenantId, endpointId }: EndpointIds,
  page: { switchedOffAt: string; after: string | null; limit: number },
): Promise<string | null> {
  const kind: OutboxMessage['kind'] = 'stopDelivery';
  const rows = await rowsOf<{ id: string }>(em)`
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
      SELECT jsonb_build_object('kind', ${kind}::text, 'workflowId', workflow_id, 'clinicId', ${tenantId}::text)
      FROM page
    )
    SELECT id FROM page ORDER BY id
  `;
  return rows.length < page.limit ? null : (rows.at(-1)?.id ?? null);
}
