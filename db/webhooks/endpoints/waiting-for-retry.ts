import { rowsOf, type EntityManager } from '../../connection/statements.ts';

/** How many deliveries wait for another attempt at each of the clinic's endpoints, `atMost` of each being counted; by endpoint. */
export async function countWaitingForRetry(
  em: EntityManager,
  tenantId: string,
  atMost: number,
): Promise<Map<string, number>> {
  const rows = await rowsOf<{ id: string; waiting: number }>(em)`
    SELECT endpoint.id, retrying.waiting
    FROM webhook_endpoint endpoint
    CROSS JOIN LATERAL (
      SELECT count(*)::integer AS waiting
      FROM (
        SELECT FROM webhook_delivery
        WHERE endpoint_id = endpoint.id
          AND status = 'retrying'
          -- As the index of those that are not over has it.
          AND status IN ('pending', 'retrying')
        LIMIT ${atMost}
      ) AS counted
    ) AS retrying
    WHERE endpoint.tenant_id = ${tenantId}
      AND endpoint.deleted_at IS NULL
      AND retrying.waiting > 0
  `;
  return new Map(rows.map(({ id, waiting }) => [id, waiting]));
}
