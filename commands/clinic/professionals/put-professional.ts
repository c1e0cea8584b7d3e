import { ProfessionalEntity, type ProfessionalRow } from '../../../db/entities/professional.entity.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import type { CommandContext } from '../../command-context.ts';
import { createProfessional } from './create-professional.ts';
import { lockTenant } from '../lock-tenant.ts';
import { requireFields } from '../require-fields.ts';
import { updateProfessional, type UpdateProfessional } from './update-professional.ts';

export interface PutProfessional extends Omit<UpdateProfessional, 'professionalId'> {
  externalId: string;
}

/**
 * Changes the professional whom the clinic's other system calls so, active or not, or adds one.
 * Errors: `not_found` (clinic), `validation_failed` (a new one without name or specialty).
 */
export async function putProfessional(
  em: EntityManager,
  { tenantId, externalId, fields }: PutProfessional,
  context: CommandContext,
): Promise<{ isNew: boolean; professional: ProfessionalRow }> {
  // Of two that come at once the second finds what the first has added.
  await lockTenant(em, tenantId);
  const known = await em.findOne(ProfessionalEntity, { tenantId, externalId });
  if (known) {
    const change = { tenantId, professionalId: known.id, fields };
    return { isNew: false, professional: await updateProfessional(em, change, context) };
  }
  requireFields(fields, ['name', 'specialty']);
  const whole = { tenantId, fields: { ...fields, externalId } };
  return { isNew: true, professional: await createProfessional(em, whole, context) };
}
