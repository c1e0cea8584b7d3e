import { TenantEntity, type TenantRow } from '../../db/entities/tenant.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { requireTenant } from './require-tenant.ts';
import { skipOpenDeliveries } from '../../db/webhooks/endpoint-deactivation.ts';
import type { CommandContext } from '../command-context.ts';
import { givenFields } from './given-fields.ts';
import { updateTenant, type UpdateTenant } from './update-tenant.ts';

/** What only an operator may change of a clinic. */
type OperatorFields = Pick<
  TenantRow,
  | 'legalName'
  | 'nif'
  | 'address'
  | 'postalCode'
  | 'city'
  | 'country'
  | 'email'
  | 'phone'
  | 'plan'
  | 'status'
  | 'trialEndsAt'
  | 'referralCode'
>;

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
  const { id } = await requireTenant(em, settings.tenantId);
  await updateTenant(em, settings, context);
  await em.nativeUpdate(TenantEntity, { id }, { ...givenFields(fields), updatedAt: context.now });
  if (fields.status === 'canceled') await skipOpenDeliveries(em, { tenantId: id });
  return em.findOneOrFail(TenantEntity, { id }, { refresh: true });
}
