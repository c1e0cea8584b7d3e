import {
  expireWithChildren,
  findApiKeyById,
  hasEnded,
  revokeWithChildren,
} from '../../db/clinic/api-keys.ts';
import { ApiKeyEntity, type ApiKeyRow } from '../../db/entities/api-key.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { recordAudit, type CommandContext } from '../command-context.ts';
import { refusedKey } from '../../domain/clinic/refused-key.ts';
import { fieldError } from '../../domain/service-error.ts';
import type { ServiceMode } from '../../domain/service-mode.ts';
import { createApiKey } from './create-api-key.ts';
import { requireFound } from '../require-found.ts';
import { lockTenant } from './lock-tenant.ts';

/**
 * From the commit on the key opens nothing, nor does any that was made with it. A key that was revoked before keeps its first
 * time. Errors: `not_found`.
 */
export async function revokeApiKey(em: EntityManager, wanted: KeyOfClinic, context: CommandContext) {
  const key = await holdApiKey(em, wanted);
  if (key.revokedAt) return key;
  const { tenantId, id: keyId } = key;
  const alsoEnded = await revokeWithChildren(em, { tenantId, keyId, now: context.now });
  const details = alsoEnded.length > 0 ? { alsoEnded } : {};
  await recordAudit(em, { action: 'api_key.revoked', tenantId, subjectId: keyId, details }, context);
  return em.refreshOrFail(key);
}

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

/**
 * Makes a key like another one, for as long a time as that was made for, and ends the other after the overlap with all that
 * were made with it, unless they have ended or will end before. Returns both, and the new key, which is stored nowhere. Errors: `not_found`, `validation_failed`,
 * `key_limit_reached`, `api_key_expired`.
 */
export async function rollApiKey(
  em: EntityManager,
  { newId, callerKeyId, overlapSeconds, mode, ...wanted }: RollApiKey,
  context: CommandContext,
) {
  const replaced = await holdApiKey(em, wanted);
  if (replaced.revokedAt) throw fieldError('path.id', 'was revoked; make a new key in its place');
  const { tenantId, name, scopes, id: keyId } = replaced;
  // It has rolled itself since it asked: the new key would have ended before anybody has it.
  if (callerKeyId === keyId && (await hasEnded(em, replaced, context.now)))
    throw refusedKey('api_key_expired', 'This API key has expired.');
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
function placeOf(replaced: ApiKeyRow, callerKeyId: string | undefined, now: Date) {
  const { id, parentKeyId } = replaced;
  if (callerKeyId === id) return { parentKeyId, expiresAt: replaced.expiresAt };
  return { parentKeyId: callerKeyId ?? parentKeyId, expiresAt: sameLifetime(replaced, now) };
}

/** When a key ends that is made now for as long as this one was; null without an end. */
export function sameLifetime({ createdAt, madeUntil }: ApiKeyRow, now: Date): Date | null {
  return madeUntil && new Date(now.getTime() + madeUntil.getTime() - createdAt.getTime());
}

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
