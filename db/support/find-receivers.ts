import { sql } from 'kysely';
import { tables, type EntityManager, type RowOf } from '../connection/statements.ts';

export type FoundEndpoint = RowOf<'webhook_endpoint', 'id' | 'tenantId' | 'url' | 'status'>;

/** The endpoints, of whatever clinic, in whose host this stands. Those that were deleted are left out. */
export function findEndpointsAtHost(em: EntityManager, host: string, limit: number) {
  return tables(em)
    .selectFrom('webhook_endpoint')
    .select(['id', 'tenantId', 'url', 'status'])
    .where('deletedAt', 'is', null)
    .where(sql<boolean>`strpos(lower(split_part(split_part(url, '://', 2), '/', 1)), lower(${host})) > 0`)
    .orderBy('id')
    .limit(limit)
    .execute();
}

export type FoundKey = RowOf<'api_key', 'id' | 'tenantId' | 'name' | 'publicId'>;

/** The keys whose public part begins so. @param publicId letters and digits alone */
export function findKeysByPrefix(em: EntityManager, publicId: string, limit: number): Promise<FoundKey[]> {
  return tables(em)
    .selectFrom('api_key')
    .select(['id', 'tenantId', 'name', 'publicId'])
    .where((key) => key.fn<boolean>('starts_with', ['publicId', key.val(publicId)]))
    .orderBy('id')
    .limit(limit)
    .execute();
}
