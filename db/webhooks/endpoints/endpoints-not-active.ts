import { sql } from 'kysely';
import type { EndpointStatus } from '../../../domain/webhooks/endpoint-status.ts';
import type { EntityManager } from '../../connection/open-database.ts';

export interface EndpointsNotActive {
  status: Exclude<EndpointStatus, 'active'>;
  count: number;
  /** The three that were changed last. */
  latestIds: string[];
}

/** Endpoints that get nothing, or soon will get nothing, by why. */
export async function findEndpointsNotActive(em: EntityManager): Promise<EndpointsNotActive[]> {
  const { rows } = await sql<EndpointsNotActive>`
    SELECT status, count(*)::integer AS count, (array_agg(id ORDER BY updated_at DESC))[1:3] AS "latestIds"
    FROM webhook_endpoint
    WHERE status <> 'active'
      AND deleted_at IS NULL
    GROUP BY status
    ORDER BY status
  `.execute(em.getKysely());
  return rows;
}
