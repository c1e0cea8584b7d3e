import { isDeepStrictEqual } from 'node:util';
import { TenantEntity, type TenantRow } from '../../db/entities/tenant.entity.ts';
import { lockTenant } from '../../db/clinic/lock-tenant.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { violates } from '../../db/connection/unique-violation.ts';
import { fieldError, notFound, ServiceError } from '../../domain/service-error.ts';
import { mergeConfig } from '../../domain/clinic/tenant-config.ts';
import type { TenantConfigPatch } from '../../domain/clinic/tenant-config.schema.ts';
import type { CommandContext } from '../command-context.ts';
import { recordEvent } from '../webhooks/record-event.ts';

/** What one clinic's settings may take up; they travel whole in `tenant.config_updated`. */
const CONFIG_LIMIT_BYTES = 64 * 1024;

/** The settings a clinic may change itself. */
type TenantSettings = Pick<
  TenantRow,
  'name' | 'specialty' | 'publicSlug' | 'publicBookingEnabled' | 'config'
>;

/** Absent fields keep their value; of `config` only the given keys change. */
export interface UpdateTenant extends Partial<Omit<TenantSettings, 'config'>> {
  tenantId: string;
  config?: TenantConfigPatch;
}

/**
 * PATCH /v1/tenants/me. Emits `tenant.config_updated` when a key of `config` changed; changes nothing when all is equal.
 * Errors: `not_found`, `public_slug_taken`, `validation_failed` (settings too large).
 */
export async function updateTenant(
  em: EntityManager,
  input: UpdateTenant,
  context: CommandContext,
): Promise<TenantRow> {
  const tenant = await lockTenant(em, input.tenantId);
  if (!tenant) throw notFound('clinic', input.tenantId);
  const settings = wantedSettings(tenant, input);
  if (isDeepStrictEqual(settings, settingsOf(tenant))) return tenant;
  const updated = await save(em, tenant.id, settings, context.now);
  const changedKeys = differingKeys(tenant.config, updated.config);
  if (changedKeys.length > 0) await announce(em, updated, changedKeys, context);
  return updated;
}

function settingsOf({
  name,
  specialty,
  publicSlug,
  publicBookingEnabled,
  config,
}: TenantRow): TenantSettings {
  return { name, specialty, publicSlug, publicBookingEnabled, config };
}

function wantedSettings(tenant: TenantRow, input: UpdateTenant): TenantSettings {
  const config = input.config ? mergeConfig(tenant.config, input.config) : tenant.config;
  if (Buffer.byteLength(JSON.stringify(config)) > CONFIG_LIMIT_BYTES) {
    throw fieldError('body.config', `The clinic's config would exceed ${CONFIG_LIMIT_BYTES} bytes of JSON.`);
  }
  const stored = settingsOf(tenant);
  return {
    name: input.name ?? stored.name,
    specialty: input.specialty ?? stored.specialty,
    publicSlug: input.publicSlug === undefined ? stored.publicSlug : input.publicSlug,
    publicBookingEnabled: input.publicBookingEnabled ?? stored.publicBookingEnabled,
    config,
  };
}

async function save(
  em: EntityManager,
  tenantId: string,
  settings: TenantSettings,
  now: Date,
): Promise<TenantRow> {
  try {
    await em.nativeUpdate(TenantEntity, { id: tenantId }, { ...settings, updatedAt: now });
    return await em.findOneOrFail(TenantEntity, { id: tenantId }, { refresh: true });
  } catch (error) {
    if (!violates(error, 'tenant_public_slug')) throw error;
    throw new ServiceError('public_slug_taken', 'Another clinic has this publicSlug.', {
      errors: [{ path: 'body.publicSlug', message: 'is already in use' }],
    });
  }
}

function differingKeys(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => !isDeepStrictEqual(before[key], after[key])).sort();
}

async function announce(
  em: EntityManager,
  { id, name, config }: TenantRow,
  changedKeys: string[],
  context: CommandContext,
): Promise<void> {
  await recordEvent(
    em,
    { tenant: { id, name }, type: 'tenant.config_updated', data: { config, changedKeys } },
    context,
  );
}
