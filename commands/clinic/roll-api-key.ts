import { expireWithChildren } from '../../db/clinic/end-api-keys.ts';
import type { ApiKeyRow } from '../../db/entities/api-key.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { fieldError } from '../../domain/service-error.ts';
import type { ServiceMode } from '../../domain/service-mode.ts';
import type { CommandContext } from '../command-context.ts';
import { recordAudit } from '../record-audit.ts';
import { createApiKey } from './create-api-key.ts';
import { holdApiKey, type KeyOfClinic } from './require-api-key.ts';

/** A week: docs/keys-and-scopes.md#change-a-key */
export const LONGEST_KEY_OVERLAP_SECONDS = 604_800;

export interface RollApiKey extends KeyOfClinic {
  /** Of the new key; made up unless told. */
  newId?: string;
  /** The key that asks, if it is one: with it ends the new one, or in its place it stands. */
  callerKeyId?: string;
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
 * Makes a key like another one, for as long a time as that was made for, and ends the other after the overlap with all that
 * were made with it, unless they have ended or will end before. Errors: `not_found`, `validation_failed`,
 * `key_limit_reached`.
 */
export async function rollApiKey(
  em: EntityManager,
  { newId, callerKeyId, overlapSeconds, mode, ...wanted }: RollApiKey,
  context: CommandContext,
): Promise<RolledApiKey> {
  const replaced = await holdApiKey(em, wanted);
  if (replaced.revokedAt) throw fieldError('path.id', 'was revoked; make a new key in its place');
  const { tenantId, name, scopes, id: keyId } = replaced;
  const place = placeOf(replaced, callerKeyId, context.now);
  const end = new Date(context.now.getTime() + overlapSeconds * 1000);
  const alsoEnded = await expireWithChildren(em, { tenantId, keyId, now: context.now }, end);
  if (alsoEnded.some((id) => id === callerKeyId)) {
    throw fieldError(
      'path.id',
      'is the key with which the asking one ends; it has to be rolled by itself or another',
    );
  }
  const input = { tenantId, name, scopes, mode, ...place, ...(newId && { id: newId }) };
  const made = await createApiKey(em, input, context);
  const details = { replacedBy: made.row.id, overlapSeconds, ...(alsoEnded.length > 0 && { alsoEnded }) };
  await recordAudit(em, { action: 'api_key.rolled', tenantId, subjectId: keyId, details }, context);
  return { ...made, replaced: await em.refreshOrFail(replaced) };
}

/** With whom the new key ends, and when: one that rolls itself stays what it was, and gains no time by it. */
function placeOf(
  replaced: ApiKeyRow,
  callerKeyId: string | undefined,
  now: Date,
): Pick<ApiKeyRow, 'parentKeyId' | 'expiresAt'> {
  const { id, parentKeyId } = replaced;
  if (callerKeyId === id) return { parentKeyId, expiresAt: replaced.expiresAt };
  return { parentKeyId: callerKeyId ?? parentKeyId, expiresAt: sameLifetime(replaced, now) };
}

/** When a key ends that is made now for as long as this one was; null without an end. */
export function sameLifetime({ createdAt, madeUntil }: ApiKeyRow, now: Date): Date | null {
  return madeUntil && new Date(now.getTime() + madeUntil.getTime() - createdAt.getTime());
}
