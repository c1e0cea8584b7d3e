import { sql } from 'kysely';
import type { EndpointStatus } from '../../domain/webhooks/endpoint-status.ts';
import type { EntityManager } from '../connection/open-database.ts';

export interface FoundEndpoint {
  id: string;
  tenantId: string;
  url: string;
  status: EndpointStatus;
}

/** The endpoints, of whatever clinic, in whose host this stands. Those that were deleted are left out. */
export async function findEndpointsAtHost(
  em: EntityManager,
  host: string,
  limit: number,
): Promise<FoundEndpoint[]> {
  const { rows } = await sql<FoundEndpoint>`
    SELECT id, tenant_id AS "tenantId", url, status
    FROM webhook_endpoint
    WHERE deleted_at IS NULL
      AND strpos(lower(split_part(split_part(url, '://', 2), '/', 1)), lower(${host})) > 0
    ORDER BY id
    LIMIT ${limit}
  `.execute(em.getKysely());
  return rows;
}

export interface FoundKey {
  id: string;
  tenantId: string;
  name: string;
  publicId: string;
}

/** The keys whose public part begins so. @param publicId letters and digits alone */
export async function findKeysByPrefix(
  em: EntityManager,
  publicId: string,
  limit: number,
): Promise<FoundKey[]> {
  const { rows } = await sql<FoundKey>`
    SELECT id, tenant_id AS "tenantId", name, public_id AS "publicId"
    FROM api_key
    WHERE starts_with(public_id, ${publicId})
    ORDER BY id
    LIMIT ${limit}
  `.execute(em.getKysely());
  return rows;
}
