import { findApiKeyById } from '../../db/clinic/list-api-keys.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { ApiKeyEntity, type ApiKeyRow } from '../../db/entities/api-key.entity.ts';
import { requireFound } from '../require-found.ts';
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
  return requireFound(await findApiKeyById(em, tenantId, keyId), 'key', keyId);
}

/** The key, with its clinic held, so that nobody else makes or ends one of its keys. @throws ServiceError `not_found` */
export async function holdApiKey(em: EntityManager, { tenantId, keyId }: KeyOfClinic): Promise<ApiKeyRow> {
  const ofClinic = tenantId === null ? {} : { tenantId };
  const key = requireFound(await em.findOne(ApiKeyEntity, { ...ofClinic, id: keyId }), 'key', keyId);
  await lockTenant(em, key.tenantId);
  return em.refreshOrFail(key);
}
