import { ApiKeyEntity, type ApiKeyRow } from '../../db/entities/api-key.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { notFound } from '../../domain/service-error.ts';
import type { CommandContext } from '../command-context.ts';

/** From the commit on the key opens nothing. A key that was revoked before keeps its first time. Errors: `not_found`. */
export async function revokeApiKey(
  em: EntityManager,
  input: { keyId: string },
  context: CommandContext,
): Promise<ApiKeyRow> {
  const id = input.keyId;
  await em.nativeUpdate(ApiKeyEntity, { id, revokedAt: null }, { revokedAt: context.now });
  const key = await em.findOne(ApiKeyEntity, { id });
  if (!key) throw notFound('key', id);
  return key;
}
