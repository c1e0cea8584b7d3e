import type { TenantRow } from '../../db/entities/tenant.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { skipOpenDeliveries } from '../../db/webhooks/endpoints/endpoint-deactivation.ts';
import { changedFields } from '../changed-fields.ts';
import type { CommandContext } from '../command-context.ts';
import { changeSettings, writeDownChange, type TenantSettings, type UpdateTenant } from './update-tenant.ts';

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
