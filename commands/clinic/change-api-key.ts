import {
  areRelatedKeys,
  countPortalAccess,
  expireKeys,
  findApiKeyById,
  findKeysEndingWith,
  findKeysMadeWith,
  hasEnded,
  revokeKeys,
  type EndingKey,
  type KeyOfTenant,
} from '../../db/clinic/api-keys.ts';
import { ApiKeyEntity, type ApiKeyRow } from '../../db/entities/api-key.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { recordAudit, type CommandContext } from '../command-context.ts';
import { isKeyValid } from '../../domain/clinic/api-key.ts';
import type { Scope } from '../../domain/clinic/api-scopes.ts';
import { insufficientScope, refusedKey } from '../../domain/clinic/refused-key.ts';
import { fieldError } from '../../domain/service-error.ts';
import type { ServiceMode } from '../../domain/service-mode.ts';
import { createApiKey } from './create-api-key.ts';
import { requireFound } from '../require-found.ts';
import { lockTenant } from './lock-tenant.ts';

export interface RevokeApiKey extends KeyOfClinic {
  /** The key that makes the request, if any. */
  callerKeyId?: string;
  /** Does not revoke the key's successor and the keys created with the successor. */
  keepsSuccessor?: boolean;
}

/** What is revoked together with a key. */
export interface AlsoEnded {
  keys: EndingKey[];
  /** Unused portal links of all these keys. */
  portalLinks: number;
  /** Sessions opened by such links. */
  portalSessions: number;
}

const RELATED_KEY =
  'The calling key created the old key or was created with it, so it cannot keep the successor. Ask an owner to revoke the old key in the dashboard.';

/** The scopes needed to end, roll or copy a key: `keys:write` and every scope of that key. */
export function scopesToGrant(scopes: readonly Scope[]): Scope[] {
  return ['keys:write', ...scopes.filter((scope) => scope !== 'keys:write')];
}

/**
 * Revokes a key, its successor, and every key created with one of these. If the key has already expired or was revoked,
 * its time is kept, but related keys that are still valid are revoked. Errors: `not_found`, `insufficient_scope` when a
 * related key asks to keep the successor.
 */
export async function revokeApiKey(
  em: EntityManager,
  { callerKeyId, keepsSuccessor = false, ...wanted }: RevokeApiKey,
  context: CommandContext,
): Promise<{ key: ApiKeyRow; alsoEnded: AlsoEnded }> {
  const key = await lockApiKey(em, wanted);
  const { tenantId, id: keyId, scopes, revokedAt } = key;
  if (keepsSuccessor && callerKeyId !== undefined && (await areRelatedKeys(em, tenantId, keyId, callerKeyId)))
    throw insufficientScope(RELATED_KEY, scopesToGrant(scopes));
  const alsoEnded = await findAlsoEnding(em, key, { keepsSuccessor, now: context.now });
  const ids = alsoEnded.keys.map(({ id }) => id);
  await revokeKeys(em, tenantId, [keyId, ...ids], context.now);
  const details = { ...(ids.length > 0 && { alsoEnded: ids }), ...(keepsSuccessor && { keepsSuccessor }) };
  if (!revokedAt || ids.length > 0)
    await recordAudit(em, { action: 'api_key.revoked', tenantId, subjectId: keyId, details }, context);
  return { key: await em.refreshOrFail(key), alsoEnded };
}

/** What would be revoked if the key were revoked now. */
export async function findAlsoEnding(
  em: EntityManager,
  key: ApiKeyRow,
  { keepsSuccessor, now }: { keepsSuccessor: boolean; now: Date },
): Promise<AlsoEnded> {
  const { tenantId, id: keyId } = key;
  const keys = await findKeysEndingWith(em, { tenantId, keyId }, { keepsSuccessor, now });
  const ending = [...(isKeyValid(key, now) ? [keyId] : []), ...keys.map(({ id }) => id)];
  return { keys, ...(await countPortalAccess(em, tenantId, ending, now)) };
}

/** A week: docs/keys-and-scopes.md#change-a-key */
export const MAX_KEY_OVERLAP_SECONDS = 604_800;

export interface RollApiKey extends KeyOfClinic {
  /** The key that makes the request. The new key expires with this key, or replaces it if a key rolls itself. */
  callerKeyId?: string;
  /** How long the old key stays valid. */
  overlapSeconds: number;
  mode: ServiceMode;
}

/**
 * Creates a new key that replaces a key, with the same scopes and lifetime. The old key and all keys created with it
 * expire after the overlap, or earlier if they would expire earlier. Returns both keys, and the text of the new key,
 * which is not stored. Errors: `not_found`, `validation_failed`, `key_limit_reached`, `api_key_expired`.
 */
export async function rollApiKey(
  em: EntityManager,
  { callerKeyId, overlapSeconds, mode, ...wanted }: RollApiKey,
  context: CommandContext,
) {
  const replaced = await lockApiKey(em, wanted);
  if (replaced.revokedAt) throw fieldError('path.id', 'was revoked. Create a new key instead');
  const { tenantId, name, scopes, id: keyId } = replaced;
  // The calling key was rolled meanwhile, so the new key would already have expired.
  if (callerKeyId === keyId && (await hasEnded(em, replaced, context.now)))
    throw refusedKey('api_key_expired', 'This API key has expired.');
  const place = placeOf(replaced, callerKeyId, context.now);
  const end = new Date(context.now.getTime() + overlapSeconds * 1000);
  const madeWith = await findKeysMadeWith(em, { tenantId, keyId }, context.now);
  const alsoEnded = madeWith.map(({ id }) => id);
  if (callerKeyId !== undefined && alsoEnded.includes(callerKeyId)) {
    throw fieldError(
      'path.id',
      'is the key that created the calling key. Roll it by calling with that key itself or with another key',
    );
  }
  await expireKeys(em, tenantId, [keyId, ...alsoEnded], end);
  const input = { tenantId, name, scopes, mode, rolledFromKeyId: keyId, ...place };
  const made = await createApiKey(em, input, context);
  const details = { replacedBy: made.row.id, overlapSeconds, ...(alsoEnded.length > 0 && { alsoEnded }) };
  await recordAudit(em, { action: 'api_key.rolled', tenantId, subjectId: keyId, details }, context);
  return { ...made, replaced: await em.refreshOrFail(replaced) };
}

/** The parent and expiry of the new key: a key that rolls itself keeps both. */
function placeOf(replaced: ApiKeyRow, callerKeyId: string | undefined, now: Date) {
  const { id, parentKeyId } = replaced;
  if (callerKeyId === id) return { parentKeyId, expiresAt: replaced.expiresAt };
  return { parentKeyId: callerKeyId ?? parentKeyId, expiresAt: sameLifetime(replaced, now) };
}

/** When a new key with the same lifetime expires; null if it does not expire. */
function sameLifetime({ createdAt, madeUntil }: ApiKeyRow, now: Date): Date | null {
  return madeUntil && new Date(now.getTime() + madeUntil.getTime() - createdAt.getTime());
}

export interface KeyOfClinic {
  /** Null for an operator, who may act for any clinic. */
  tenantId: string | null;
  keyId: string;
}

/** Reads the key without locking it. @throws ServiceError `not_found` */
export async function readApiKey(em: EntityManager, { tenantId, keyId }: KeyOfTenant): Promise<ApiKeyRow> {
  return requireFound(await findApiKeyById(em, tenantId, keyId), 'key', keyId);
}

/**
 * Locks the key's clinic and reads the key, so that no one else creates or ends one of its keys. @throws ServiceError
 * `not_found`
 */
export async function lockApiKey(em: EntityManager, { tenantId, keyId }: KeyOfClinic): Promise<ApiKeyRow> {
  const ofClinic = tenantId === null ? {} : { tenantId };
  const key = requireFound(await em.findOne(ApiKeyEntity, { ...ofClinic, id: keyId }), 'key', keyId);
  await lockTenant(em, key.tenantId);
  return em.refreshOrFail(key);
}
