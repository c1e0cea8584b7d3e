import { findApiKeyById } from '../../db/clinic/list-api-keys.ts';
import { lockRow } from '../../db/connection/lock-row.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { ApiKeyEntity, type ApiKeyRow } from '../../db/entities/api-key.entity.ts';
import { notFound } from '../../domain/service-error.ts';

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

/** The key, held against other changes until the transaction ends. @throws ServiceError `not_found` */
export async function requireApiKey(em: EntityManager, { tenantId, keyId }: KeyOfClinic): Promise<ApiKeyRow> {
  const ofClinic = tenantId === null ? {} : { tenantId };
  const key = await lockRow(em, ApiKeyEntity, { ...ofClinic, id: keyId });
  if (!key) throw notFound('key', keyId);
  return key;
}
