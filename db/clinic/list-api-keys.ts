import type { EntityManager } from '../connection/open-database.ts';
import { ApiKeyEntity, type ApiKeyRow } from '../entities/api-key.entity.ts';

/** The clinic's keys, also those that have ended, newest first. @param before the id of the last one already shown */
export function listApiKeys(
  em: EntityManager,
  wanted: { tenantId: string; before: string | undefined; limit: number },
): Promise<ApiKeyRow[]> {
  const { tenantId, before, limit } = wanted;
  const where = { tenantId, ...(before && { id: { $lt: before } }) };
  return em.find(ApiKeyEntity, where, { orderBy: { id: 'desc' }, limit });
}

/** Null when the clinic has no such key. */
export function findApiKeyById(em: EntityManager, tenantId: string, id: string): Promise<ApiKeyRow | null> {
  return em.findOne(ApiKeyEntity, { tenantId, id });
}
