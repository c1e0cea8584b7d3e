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
  /** The key that ends this one; none by default. */
  parentKeyId?: string | null;
  /** The key that it replaces. */
  rolledFromKeyId?: string | null;
  /** Null for a key without an end. */
  expiresAt: Date | null;
  /** Of this deployment: the key works only in one of the same mode. */
  mode: ServiceMode;
}

const DAY_MS = 86_400_000;
/** docs/limits.md#counts */
const LIVE_KEYS_PER_CLINIC = 200;

/** When a key created now ends; null without an end. */
export function expiryIn(days: number | undefined, now: Date): Date | null {
  return days === undefined ? null : new Date(now.getTime() + days * DAY_MS);
}

/** The key's text is only in the result: its hash is stored. Errors: `not_found`, `key_limit_reached`. */
export async function createApiKey(em: EntityManager, input: NewApiKeyOfTenant, context: CommandContext) {
  const { mode, parentKeyId = null, rolledFromKeyId = null, ...fields } = input;
  // Otherwise a key beyond the limit, or one created while its parent ends, would be missed.
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

/** The end that was asked for, or that of the parent, whichever is earlier. The parent may have ended since it asked. */
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
