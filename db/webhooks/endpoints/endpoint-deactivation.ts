import { firstRow, tables, type EntityManager } from '../../connection/statements.ts';
import { CHANGED_ENDPOINT, CHANGED_ENDPOINT_COLUMNS, type ChangedEndpoint } from './endpoint-verdicts.ts';

export interface EndpointIds {
  tenantId: string;
  endpointId: string;
}

/** Disables a failing endpoint if it is time to, and notifies the clinic; null when it did nothing. */
export function deactivateWhenDue(
  em: EntityManager,
  endpoint: EndpointIds,
  now: Date,
): Promise<ChangedEndpoint | null> {
  return firstRow(em, CHANGED_ENDPOINT)`
    WITH endpoint AS (
      UPDATE webhook_endpoint
      SET status = 'deactivated', updated_at = ${now}::timestamptz
      WHERE tenant_id = ${endpoint.tenantId}
        AND id = ${endpoint.endpointId}
        AND status = 'failing'
        AND deactivate_at <= ${now}::timestamptz
      RETURNING ${CHANGED_ENDPOINT_COLUMNS}
    ), notified AS (
      INSERT INTO notification (id, tenant_id, kind, endpoint_id, endpoint_url, deactivate_at, mail, created_at)
      SELECT
        uuid_v7(), endpoint.tenant_id, 'endpoint_deactivated', endpoint.id, split_part(endpoint.url, '?', 1),
        endpoint.deactivate_at, CASE WHEN tenant.email IS NULL THEN 'no_address' ELSE 'due' END, ${now}::timestamptz
      FROM endpoint
      JOIN tenant ON tenant.id = endpoint.tenant_id
    )
    SELECT * FROM endpoint
  `;
}

/** Undefined when the clinic never had such an endpoint. */
export function findEndpointHealth(em: EntityManager, { tenantId, endpointId }: EndpointIds) {
  const health = tables(em).selectFrom('webhook_endpoint').select(['status', 'deactivateAt']);
  return health.where('tenantId', '=', tenantId).where('id', '=', endpointId).executeTakeFirst();
}
