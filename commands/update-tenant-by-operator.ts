import { TenantEntity, type TenantRow } from '../db/entities/tenant.entity.ts';
import { lockTenant } from '../db/lock-tenant.ts';
import type { Sql } from '../db/open-database.ts';
import { violates } from '../db/unique-violation.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { CommandContext } from './command-context.ts';
import { givenFields } from './given-fields.ts';
import { recordEvent } from './record-event.ts';

/** What an operator may change of a clinic. */
export type TenantFields = Partial<
  Pick<
    TenantRow,
    | 'name'
    | 'legalName'
    | 'nif'
    | 'address'
    | 'postalCode'
    | 'city'
    | 'country'
    | 'email'
    | 'phone'
    | 'specialty'
    | 'publicSlug'
    | 'publicBookingEnabled'
    | 'plan'
    | 'status'
    | 'trialEndsAt'
    | 'referralCode'
  >
>;

export interface UpdateTenantByOperator {
  tenantId: string;
  /** Fields left out stay as they are. */
  fields: TenantFields;
  /** IANA zone name; it lives in `config`. */
  timezone?: string | undefined;
}

/** A changed time zone is a changed setting, so the clinic's receivers hear of it. Errors: `not_found`, `public_slug_taken`. */
export async function updateTenantByOperator(
  tx: Sql,
  input: UpdateTenantByOperator,
  context: CommandContext,
): Promise<TenantRow> {
  const { tenantId: id } = input;
  const tenant = await lockTenant(tx, id);
  if (!tenant) throw new ServiceError('not_found', `There is no clinic with the id ${id}.`);
  const hasNewZone = input.timezone !== undefined && input.timezone !== tenant.config['timezone'];
  const config = hasNewZone ? { ...tenant.config, timezone: input.timezone } : tenant.config;
  await saveTenant(tx, id, { ...givenFields(input.fields), config, updatedAt: context.now });
  const changed = await tx.findOneOrFail(TenantEntity, { id }, { refresh: true });
  if (hasNewZone) await announce(tx, changed, context);
  return changed;
}

async function saveTenant(
  tx: Sql,
  id: string,
  fields: TenantFields & Pick<TenantRow, 'config' | 'updatedAt'>,
): Promise<void> {
  try {
    await tx.nativeUpdate(TenantEntity, { id }, fields);
  } catch (error) {
    if (!violates(error, 'tenant_public_slug')) throw error;
    throw new ServiceError('public_slug_taken', 'Another clinic has this public slug.');
  }
}

async function announce(tx: Sql, tenant: TenantRow, context: CommandContext): Promise<void> {
  await recordEvent(
    tx,
    {
      tenant: { id: tenant.id, name: tenant.name },
      type: 'tenant.config_updated',
      data: { config: tenant.config, changedKeys: ['timezone'] },
    },
    context,
  );
}
