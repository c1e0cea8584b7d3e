import { uuidv7 } from 'uuidv7';
import { hasEnded } from '../../db/clinic/api-keys.ts';
import { ApiKeyEntity } from '../../db/entities/api-key.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { newApiKey } from '../../domain/clinic/api-key.ts';
import { refusedKey } from '../../domain/clinic/refused-key.ts';
import { SCOPES, type Scope } from '../../domain/clinic/api-scopes.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { ServiceMode } from '../../domain/service-mode.ts';
import { recordAudit, type CommandContext } from '../command-context.ts';
import { lockTenant } from './lock-tenant.ts';

export interface NewApiKeyOfTenant {
  tenantId: string;
  name: string;
  scopes: readonly Scope[];
  /** The key with which this key is created and expires; by default, none. */
  parentKeyId?: string | null;
  /** The key that this key replaces. */
  rolledFromKeyId?: string | null;
  /** Null for a key that does not expire. */
  expiresAt: Date | null;
  /** The mode of this deployment. The key works only in deployments with the same mode. */
  mode: ServiceMode;
}

const DAY_MS = 86_400_000;
/** docs/limits.md#counts */
const LIVE_KEYS_PER_CLINIC = 200;

/** When a key created now expires; null if it does not expire. */
export function expiryIn(days: number | undefined, now: Date): Date | null {
  return days === undefined ? null : new Date(now.getTime() + days * DAY_MS);
}

/** The key's text is only in the result: its hash is stored. Errors: `not_found`, `key_limit_reached`. */
export async function createApiKey(em: EntityManager, input: NewApiKeyOfTenant, context: CommandContext) {
  const { mode, parentKeyId = null, rolledFromKeyId = null, ...fields } = input;
  // The lock prevents a key beyond the limit, and a key whose parent is being revoked at the same time.
  await lockTenant(em, input.tenantId);
  await refuseOverLimit(em, input.tenantId, context.now);
  const expiresAt = await endWithin(em, input, context.now);
  const scopes = SCOPES.filter((scope) => input.scopes.includes(scope));
  const { key, ...stored } = newApiKey(mode);
  const row = em.create(ApiKeyEntity, {
    id: uuidv7(),
    ...fields,
    ...stored,
    scopes,
    parentKeyId,
    rolledFromKeyId,
    expiresAt,
    madeUntil: expiresAt,
    createdAt: context.now,
  });
  await em.flush();
  const details = { scopes, expiresAt };
  const { tenantId } = row;
  await recordAudit(em, { action: 'api_key.created', tenantId, subjectId: row.id, details }, context);
  return { row, key };
}

async function refuseOverLimit(em: EntityManager, tenantId: string, now: Date): Promise<void> {
  const isOpen = { $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] };
  const live = await em.count(ApiKeyEntity, { tenantId, revokedAt: null, ...isOpen });
  if (live < LIVE_KEYS_PER_CLINIC) return;
  throw new ServiceError(
    'key_limit_reached',
    `A clinic can have at most ${LIVE_KEYS_PER_CLINIC} valid keys. Revoke one first.`,
  );
}

/**
 * The requested expiry or the parent's expiry, whichever is earlier. The parent may have expired since the request was
 * admitted.
 */
async function endWithin(
  em: EntityManager,
  { tenantId, parentKeyId, expiresAt }: NewApiKeyOfTenant,
  now: Date,
): Promise<Date | null> {
  if (!parentKeyId) return expiresAt;
  const parent = await em.findOneOrFail(ApiKeyEntity, { tenantId, id: parentKeyId }, { refresh: true });
  if (parent.revokedAt) throw refusedKey('api_key_revoked', 'This API key was revoked.');
  if (!parent.expiresAt) return expiresAt;
  if (await hasEnded(em, parent, now)) throw refusedKey('api_key_expired', 'This API key has expired.');
  return expiresAt && expiresAt < parent.expiresAt ? expiresAt : parent.expiresAt;
}
