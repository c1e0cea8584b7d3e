import { uuidv7 } from 'uuidv7';
import { ApiKeyEntity, type ApiKeyRow } from '../../db/entities/api-key.entity.ts';
import { requireTenant } from './require-tenant.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { newApiKey } from '../../domain/clinic/api-key.ts';
import { SCOPES, type Scope } from '../../domain/clinic/api-scopes.ts';
import type { ServiceMode } from '../../domain/service-mode.ts';
import type { CommandContext } from '../command-context.ts';
import { recordAudit } from '../record-audit.ts';

export interface NewApiKeyOfTenant {
  /** A new one unless told. */
  id?: string;
  tenantId: string;
  name: string;
  scopes: readonly Scope[];
  /** Null for a key without an end. */
  expiresAt: Date | null;
  /** Of this deployment: the key works only in one of the same mode. */
  mode: ServiceMode;
}

const DAY_MS = 86_400_000;

/** When a key ends that is made now; null for one without an end. */
export function expiryIn(days: number | undefined, now: Date): Date | null {
  return days === undefined ? null : new Date(now.getTime() + days * DAY_MS);
}

/** The key is in the answer and nowhere else: only its hash is stored. Errors: `not_found`. */
export async function createApiKey(
  em: EntityManager,
  input: NewApiKeyOfTenant,
  context: CommandContext,
): Promise<{ row: ApiKeyRow; key: string }> {
  await requireTenant(em, input.tenantId);
  const { mode, ...fields } = input;
  const scopes = SCOPES.filter((scope) => input.scopes.includes(scope));
  const { key, ...stored } = newApiKey(mode);
  const row = em.create(ApiKeyEntity, {
    id: uuidv7(),
    ...fields,
    ...stored,
    scopes,
    madeUntil: input.expiresAt,
    createdAt: context.now,
  });
  await em.flush();
  const { tenantId, expiresAt } = row;
  const details = { scopes, expiresAt };
  await recordAudit(em, { action: 'api_key.created', tenantId, subjectId: row.id, details }, context);
  return { row, key };
}
