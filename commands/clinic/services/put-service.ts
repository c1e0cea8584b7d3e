import { ServiceTypeEntity } from '../../../db/entities/service-type.entity.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import type { ServiceWithProfessionals } from '../../../db/clinic/list-services.ts';
import type { CommandContext } from '../../command-context.ts';
import { createService } from './create-service.ts';
import { lockTenant } from '../lock-tenant.ts';
import { requireFields } from '../require-fields.ts';
import { updateService, type UpdateService } from './update-service.ts';

export interface PutService extends Omit<UpdateService, 'serviceId'> {
  externalId: string;
}

/**
 * Changes the service that the clinic's other system calls so, active or not, or adds one.
 * Errors: `not_found` (clinic), `validation_failed` (a new one without name or duration, a professional the clinic does not have).
 */
export async function putService(
  em: EntityManager,
  { externalId, ...change }: PutService,
  context: CommandContext,
): Promise<ServiceWithProfessionals & { isNew: boolean }> {
  const { tenantId, fields, professionalIds = [] } = change;
  // Of two that come at once the second finds what the first has added.
  await lockTenant(em, tenantId);
  const known = await em.findOne(ServiceTypeEntity, { tenantId, externalId });
  if (known) {
    return { isNew: false, ...(await updateService(em, { ...change, serviceId: known.id }, context)) };
  }
  requireFields(fields, ['name', 'durationMinutes']);
  const service = { tenantId, fields: { ...fields, externalId }, professionalIds };
  return { isNew: true, ...(await createService(em, service, context)) };
}
