import { ApiKeyEntity } from '../../db/entities/api-key.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { fieldError } from '../../domain/service-error.ts';

/** 422 for an id that no API key of the clinic has; one that has ended will do, its events may still be replayed. */
export async function requireKeysOfClinic(
  em: EntityManager,
  tenantId: string,
  keyIds: readonly string[],
): Promise<void> {
  if (keyIds.length === 0) return;
  const known = await em.count(ApiKeyEntity, { tenantId, id: { $in: [...keyIds] } });
  if (known < keyIds.length) throw fieldError('body.ignoreActors', 'must be ids of API keys of the clinic');
}
