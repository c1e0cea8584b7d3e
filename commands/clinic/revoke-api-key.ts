import type { ApiKeyRow } from '../../db/entities/api-key.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { CommandContext } from '../command-context.ts';
import { recordAudit } from '../record-audit.ts';
import { requireApiKey, type KeyOfClinic } from './require-api-key.ts';

/** From the commit on the key opens nothing. A key that was revoked before keeps its first time. Errors: `not_found`. */
export async function revokeApiKey(
  em: EntityManager,
  wanted: KeyOfClinic,
  context: CommandContext,
): Promise<ApiKeyRow> {
  const key = await requireApiKey(em, wanted);
  if (key.revokedAt) return key;
  key.revokedAt = context.now;
  await em.flush();
  const { tenantId, id: subjectId } = key;
  await recordAudit(em, { action: 'api_key.revoked', tenantId, subjectId }, context);
  return key;
}
