import { sql } from 'kysely';
import type { EndpointStatus } from '../../domain/webhooks/endpoint-status.ts';
import type { EntityManager } from '../connection/open-database.ts';

/** How much there is of what webhooks are made of. */
export interface WebhookStock {
  /** At most `MOST_COUNTED` together. */
  openDeliveries: Record<'pending' | 'retrying', number>;
  /** Without those that were deleted. */
  endpoints: Record<EndpointStatus, number>;
  mailsDue: { count: number; oldestAgeSeconds: number };
}

const MOST_COUNTED = 100_000;

/** Open deliveries, endpoints and mails that were not sent yet, each counted by an index of its own. */
export async function findWebhookStock(em: EntityManager): Promise<WebhookStock> {
  const kysely = em.getKysely();
  const deliveries = await sql<{ status: 'pending' | 'retrying'; count: number }>`
    SELECT status, count(*)::integer AS count
    FROM (
      SELECT status
      FROM webhook_delivery
      WHERE status IN ('pending', 'retrying')
      ORDER BY endpoint_id, id
      LIMIT ${MOST_COUNTED}
    ) open
    GROUP BY status
  `.execute(kysely);
  const endpoints = await sql<{ status: EndpointStatus; count: number }>`
    SELECT status, count(*)::integer AS count
    FROM (
      SELECT status
      FROM webhook_endpoint
      WHERE deleted_at IS NULL
      ORDER BY tenant_id, id
      LIMIT ${MOST_COUNTED}
    ) present
    GROUP BY status
  `.execute(kysely);
  const mails = await sql<WebhookStock['mailsDue']>`
    SELECT
      count(*)::integer AS count,
      coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0)::float8 AS "oldestAgeSeconds"
    FROM notification
    WHERE mail = 'due'
  `.execute(kysely);
  return {
    openDeliveries: { pending: 0, retrying: 0, ...byStatus(deliveries.rows) },
    endpoints: { active: 0, failing: 0, deactivated: 0, disabled: 0, ...byStatus(endpoints.rows) },
    mailsDue: mails.rows[0] ?? { count: 0, oldestAgeSeconds: 0 },
  };
}

function byStatus<S extends string>(
  rows: readonly { status: S; count: number }[],
): Partial<Record<S, number>> {
  return Object.fromEntries(rows.map(({ status, count }) => [status, count])) as Partial<Record<S, number>>;
}
