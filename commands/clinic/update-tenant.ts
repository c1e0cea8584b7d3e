import { isDeepStrictEqual } from 'node:util';
import { ServiceTypeEntity } from '../../db/entities/service-type.entity.ts';
import type { TenantRow } from '../../db/entities/tenant.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { setWatch } from '../../db/appointments/acknowledgement-watch.ts';
import { checkRemindersNow, setReminders } from '../../db/appointments/reminder-scan.ts';
import { violates } from '../../db/connection/database-errors.ts';
import { fieldError, ServiceError } from '../../domain/service-error.ts';
import { mergeConfig } from '../../domain/clinic/tenant-config.ts';
import type { TenantConfigPatch } from '../../domain/clinic/tenant-config.schema.ts';
import type { tenantRules } from '../../domain/clinic/tenant-rules.schema.ts';
import { changedFields } from '../changed-fields.ts';
import { recordAudit, type CommandContext } from '../command-context.ts';
import { requireAllFound } from '../require-found.ts';
import { announceSettings, lockTenant } from './lock-tenant.ts';
import { skipOpenDeliveries } from '../../db/webhooks/endpoints/skip-deliveries.ts';

/** The maximum size of a clinic's settings, which are sent in `tenant.config_updated`. */
const CONFIG_LIMIT_BYTES = 64 * 1024;

/** What a clinic may change. Absent fields keep their value; of `config` only the given keys change. */
export interface UpdateTenant extends Partial<Pick<TenantRow, keyof typeof tenantRules>> {
  tenantId: string;
  config?: TenantConfigPatch;
}

/** What only an operator may change. */
type UpdateTenantByOperator = UpdateTenant &
  Partial<Omit<TenantRow, keyof UpdateTenant | 'id' | 'createdAt' | 'updatedAt'>>;

/** Cancelling a clinic skips its open deliveries. Errors: those of `updateTenant`. */
export async function updateTenantByOperator(
  em: EntityManager,
  input: UpdateTenantByOperator,
  context: CommandContext,
): Promise<TenantRow> {
  const tenant = await updateTenant(em, input, context);
  if (input.status === 'canceled') await skipOpenDeliveries(em, { tenantId: tenant.id });
  return tenant;
}

/**
 * PATCH /v1/tenants/me. Emits `tenant.config_updated` when a key of `config` changed. Errors: `not_found`,
 * `public_slug_taken`, `validation_failed` (settings too large, an ID the clinic does not have).
 */
export async function updateTenant(
  em: EntityManager,
  { tenantId, config: patch, ...fields }: UpdateTenant,
  context: CommandContext,
): Promise<TenantRow> {
  const tenant = await lockTenant(em, tenantId);
  const { config } = tenant;
  if (patch) await requireServices(em, tenantId, patch);
  const changes = changedFields(tenant, { ...fields, ...(patch && { config: patched(config, patch) }) });
  if (Object.keys(changes).length === 0) return tenant;
  em.assign(tenant, { ...changes, updatedAt: context.now });
  await save(em);
  const changedKeys = differingKeys(config, tenant.config);
  if (changedKeys.length > 0) await announceSettings(em, tenant, changedKeys, context);
  if (changedKeys.includes('acknowledgeWithinMinutes'))
    await setWatch(em, tenantId, patch?.acknowledgeWithinMinutes ?? null);
  if (changedKeys.includes('reminders'))
    await setReminders(em, tenantId, patch?.reminders?.hoursBefore ?? []);
  else if (changedKeys.includes('timezone')) await checkRemindersNow(em, tenantId);
  const names = Object.keys(changes).filter((name) => name !== 'config');
  const details = {
    fields: [...names, ...changedKeys.map((key) => `config.${key}`)],
    status: tenant.status,
  };
  await recordAudit(em, { action: 'tenant.updated', tenantId, subjectId: tenantId, details }, context);
  return tenant;
}

/**
 * Checks the service IDs in `config`. @throws ServiceError `validation_failed` for a service that the clinic does not
 * have
 */
async function requireServices(em: EntityManager, tenantId: string, { selfService }: TenantConfigPatch) {
  const ids = selfService?.serviceTypeIds ?? [];
  if (ids.length === 0) return;
  const found = await em.find(ServiceTypeEntity, { tenantId, id: { $in: ids } }, { fields: ['id'] });
  requireAllFound(ids, found, { what: 'service', path: 'body.config.selfService.serviceTypeIds' });
}

function patched(stored: TenantRow['config'], patch: TenantConfigPatch): TenantRow['config'] {
  const config = JSON.stringify(mergeConfig(stored, patch));
  if (Buffer.byteLength(config) > CONFIG_LIMIT_BYTES) {
    throw fieldError('body.config', `must be at most ${CONFIG_LIMIT_BYTES} bytes of JSON`);
  }
  // Compared as it is stored: -0 is 0.
  return JSON.parse(config);
}

async function save(em: EntityManager): Promise<void> {
  try {
    await em.flush();
  } catch (error) {
    if (!violates(error, 'tenant_public_slug')) throw error;
    throw new ServiceError(
      'public_slug_taken',
      'Another clinic already uses this `publicSlug`. Choose another.',
      {
        errors: [{ path: 'body.publicSlug', message: 'is already in use' }],
      },
    );
  }
}

function differingKeys(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => !isDeepStrictEqual(before[key], after[key])).sort();
}
