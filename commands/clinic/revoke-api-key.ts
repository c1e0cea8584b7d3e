import { revokeWithChildren } from '../../db/clinic/end-api-keys.ts';
import type { ApiKeyRow } from '../../db/entities/api-key.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { CommandContext } from '../command-context.ts';
import { recordAudit } from '../record-audit.ts';
import { holdApiKey, type KeyOfClinic } from './require-api-key.ts';

/**
 * From the commit on the key opens nothing, nor does any that was made with it. A key that was revoked before keeps its first
 * time. Errors: `not_found`.
 */
export async function revokeApiKey(
  em: EntityManager,
  wanted: KeyOfClinic,
  context: CommandContext,
): Promise<ApiKeyRow> {
  const key = await holdApiKey(em, wanted);
  if (key.revokedAt) return key;
  const { tenantId, id: keyId } = key;
  const alsoEnded = await revokeWithChildren(em, { tenantId, keyId, now: context.now });
  const details = alsoEnded.length > 0 ? { alsoEnded } : {};
  await recordAudit(em, { action: 'api_key.revoked', tenantId, subjectId: keyId, details }, context);
  return em.refreshOrFail(key);
}
