import { ApiKeyEntity, type ApiKeyRow } from '../../db/entities/api-key.entity.ts';
import { lockRow } from '../../db/connection/lock-row.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { notFound } from '../../domain/service-error.ts';
import type { CommandContext } from '../command-context.ts';
import { recordAudit } from '../record-audit.ts';

/** From the commit on the key opens nothing. A key that was revoked before keeps its first time. Errors: `not_found`. */
export async function revokeApiKey(
  em: EntityManager,
  { keyId }: { keyId: string },
  context: CommandContext,
): Promise<ApiKeyRow> {
  const key = await lockRow(em, ApiKeyEntity, { id: keyId });
  if (!key) throw notFound('key', keyId);
  if (key.revokedAt) return key;
  key.revokedAt = context.now;
  await em.flush();
  await recordAudit(em, { action: 'api_key.revoked', tenantId: key.tenantId, subjectId: keyId }, context);
  return key;
}
