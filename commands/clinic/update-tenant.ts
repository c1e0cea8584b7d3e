import { isDeepStrictEqual } from 'node:util';
import type { TenantRow } from '../../db/entities/tenant.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { violates } from '../../db/connection/unique-violation.ts';
import { fieldError, ServiceError } from '../../domain/service-error.ts';
import { mergeConfig } from '../../domain/clinic/tenant-config.ts';
import type { TenantConfigPatch } from '../../domain/clinic/tenant-config.schema.ts';
import { changedFields } from '../changed-fields.ts';
import type { CommandContext } from '../command-context.ts';
import { announceSettings, lockTenant } from './lock-tenant.ts';
import { recordAudit } from '../record-audit.ts';
import { skipOpenDeliveries } from '../../db/webhooks/endpoints/endpoint-deactivation.ts';

/** What one clinic's settings may take up; they travel whole in `tenant.config_updated`. */
const CONFIG_LIMIT_BYTES = 64 * 1024;

/** The settings a clinic may change itself. */
export type TenantSettings = Pick<
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
  const { tenant, changed } = await changeSettings(em, input, context);
  await writeDownChange(em, tenant, changed, context);
  return tenant;
}

/** Writes down which settings have changed, if any. */
export async function writeDownChange(
  em: EntityManager,
  { id, status }: TenantRow,
  fields: readonly string[],
  context: CommandContext,
): Promise<void> {
  if (fields.length === 0) return;
  const details = { fields, status };
  await recordAudit(em, { action: 'tenant.updated', tenantId: id, subjectId: id, details }, context);
}

/** The change without its entry in the audit. @returns the names of the fields that changed, of config `config.<key>` */
export async function changeSettings(
  em: EntityManager,
  input: UpdateTenant,
  context: CommandContext,
): Promise<{ tenant: TenantRow; changed: string[] }> {
  const tenant = await lockTenant(em, input.tenantId);
  const { config } = tenant;
  const changes = changedFields(tenant, wantedSettings(config, input));
  if (Object.keys(changes).length === 0) return { tenant, changed: [] };
  em.assign(tenant, { ...changes, updatedAt: context.now });
  await save(em);
  const changedKeys = differingKeys(config, tenant.config);
  if (changedKeys.length > 0) await announceSettings(em, tenant, changedKeys, context);
  const fields = Object.keys(changes).filter((name) => name !== 'config');
  return { tenant, changed: [...fields, ...changedKeys.map((key) => `config.${key}`)] };
}

function wantedSettings(
  stored: TenantRow['config'],
  { name, specialty, publicSlug, publicBookingEnabled, config: patch }: UpdateTenant,
) {
  const settings = { name, specialty, publicSlug, publicBookingEnabled };
  if (!patch) return settings;
  const config = JSON.stringify(mergeConfig(stored, patch));
  if (Buffer.byteLength(config) > CONFIG_LIMIT_BYTES) {
    throw fieldError('body.config', `The clinic's config would exceed ${CONFIG_LIMIT_BYTES} bytes of JSON.`);
  }
  // Compared as it is stored: -0 is 0.
  return { ...settings, config: JSON.parse(config) };
}

async function save(em: EntityManager): Promise<void> {
  try {
    await em.flush();
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

/** What only an operator may change of a clinic. */
type OperatorFields = Omit<TenantRow, keyof TenantSettings | 'id' | 'createdAt' | 'updatedAt'>;

export interface UpdateTenantByOperator {
  /** As the clinic itself could change them, with the same event. */
  settings: UpdateTenant;
  /** Fields left out stay as they are. */
  fields: Partial<OperatorFields>;
}

/** Canceling a clinic ends its open deliveries as skipped. Errors: `not_found`, `public_slug_taken`. */
export async function updateTenantByOperator(
  em: EntityManager,
  { settings, fields }: UpdateTenantByOperator,
  context: CommandContext,
): Promise<TenantRow> {
  const { tenant, changed } = await changeSettings(em, settings, context);
  const changes = changedFields<TenantRow>(tenant, fields);
  em.assign(tenant, { ...fields, updatedAt: context.now });
  await em.flush();
  await writeDownChange(em, tenant, [...changed, ...Object.keys(changes)], context);
  if (fields.status === 'canceled') await skipOpenDeliveries(em, { tenantId: tenant.id });
  return tenant;
}
