import { findApiKeyById } from '../../db/clinic/list-api-keys.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { ApiKeyEntity, type ApiKeyRow } from '../../db/entities/api-key.entity.ts';
import { notFound } from '../../domain/service-error.ts';
import { lockTenant } from './lock-tenant.ts';

export interface KeyOfClinic {
  /** Null for an operator, who may act for any clinic. */
  tenantId: string | null;
  keyId: string;
}

/** The key as it is now, which nobody holds. @throws ServiceError `not_found` */
export async function readApiKey(
  em: EntityManager,
  { tenantId, keyId }: { tenantId: string; keyId: string },
): Promise<ApiKeyRow> {
  const key = await findApiKeyById(em, tenantId, keyId);
  if (!key) throw notFound('key', keyId);
  return key;
}

/** The key, with all keys of its clinic held. @throws ServiceError `not_found` */
export async function holdApiKey(em: EntityManager, { tenantId, keyId }: KeyOfClinic): Promise<ApiKeyRow> {
  const ofClinic = tenantId === null ? {} : { tenantId };
  const key = await em.findOne(ApiKeyEntity, { ...ofClinic, id: keyId });
  if (!key) throw notFound('key', keyId);
  await holdKeysOfClinic(em, key.tenantId);
  return em.refreshOrFail(key);
}

/**
 * Until the transaction ends nobody else makes or ends a key of the clinic: one that is made beyond the limit, or while its
 * maker ends, would go unnoticed. @throws ServiceError `not_found`
 */
export async function holdKeysOfClinic(em: EntityManager, tenantId: string): Promise<void> {
  await lockTenant(em, tenantId);
}
