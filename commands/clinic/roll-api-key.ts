import type { ApiKeyRow } from '../../db/entities/api-key.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { ServiceMode } from '../../domain/service-mode.ts';
import type { CommandContext } from '../command-context.ts';
import { recordAudit } from '../record-audit.ts';
import { createApiKey } from './create-api-key.ts';
import { requireApiKey, type KeyOfClinic } from './require-api-key.ts';

/** A week: docs/keys-and-scopes.md#change-a-key */
export const LONGEST_KEY_OVERLAP_SECONDS = 604_800;

export interface RollApiKey extends KeyOfClinic {
  /** Of the new key; made up unless told. */
  newId?: string;
  /** How long the old key goes on. */
  overlapSeconds: number;
  mode: ServiceMode;
}

export interface RolledApiKey {
  row: ApiKeyRow;
  /** Stored nowhere. */
  key: string;
  replaced: ApiKeyRow;
}

/**
 * Makes a key like another one, for as long a time as that was made for, and ends the other after the overlap, unless it
 * has ended or will end before. Errors: `not_found`.
 */
export async function rollApiKey(
  em: EntityManager,
  { newId, overlapSeconds, mode, ...wanted }: RollApiKey,
  context: CommandContext,
): Promise<RolledApiKey> {
  const replaced = await requireApiKey(em, wanted);
  const { tenantId, name, scopes, id: subjectId } = replaced;
  const input = { tenantId, name, scopes, mode, expiresAt: sameLifetime(replaced, context.now) };
  const made = await createApiKey(em, { ...input, ...(newId && { id: newId }) }, context);
  const end = new Date(context.now.getTime() + overlapSeconds * 1000);
  if (replaced.expiresAt === null || end < replaced.expiresAt) replaced.expiresAt = end;
  await em.flush();
  const details = { replacedBy: made.row.id, overlapSeconds };
  await recordAudit(em, { action: 'api_key.rolled', tenantId, subjectId, details }, context);
  return { ...made, replaced };
}

/** When a key ends that is made now for as long as this one was; null without an end. */
export function sameLifetime({ createdAt, madeUntil }: ApiKeyRow, now: Date): Date | null {
  return madeUntil && new Date(now.getTime() + madeUntil.getTime() - createdAt.getTime());
}
