import { uuidv7 } from 'uuidv7';
import { ServiceTypeEntity } from '../../../db/entities/service-type.entity.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import type { ServiceWithProfessionals } from '../../../db/clinic/list-services.ts';
import { setEligibleProfessionals } from '../../../db/clinic/service-eligibility.ts';
import { saidFields } from '../../changed-fields.ts';
import type { CommandContext } from '../../command-context.ts';
import { recordAudit } from '../../record-audit.ts';
import { announceSettings } from '../announce-settings.ts';
import { lockTenant } from '../lock-tenant.ts';
import { professionalsOfClinic } from '../professionals/professionals-of-clinic.ts';
import { saveWithExternalId } from '../save-with-external-id.ts';
import { UNSAID_OF_SERVICE, type NewServiceFields } from './service-fields.ts';

export interface NewService {
  /** A new one unless told. */
  id?: string;
  tenantId: string;
  fields: NewServiceFields;
  /** Empty: every professional of the clinic offers it. */
  professionalIds: readonly string[];
}

/**
 * Emits `tenant.config_updated`.
 * Errors: `not_found` (clinic), `validation_failed` (a professional the clinic does not have), `external_id_conflict`.
 */
export async function createService(
  em: EntityManager,
  { id = uuidv7(), tenantId, fields, professionalIds }: NewService,
  context: CommandContext,
): Promise<ServiceWithProfessionals> {
  const tenant = await lockTenant(em, tenantId);
  const eligibleProfessionalIds = await professionalsOfClinic(em, tenantId, professionalIds);
  const { name, durationMinutes } = fields;
  const service = em.create(ServiceTypeEntity, {
    id,
    tenantId,
    name,
    durationMinutes,
    ...UNSAID_OF_SERVICE,
    ...saidFields(fields),
    createdAt: context.now,
    updatedAt: context.now,
  });
  await saveWithExternalId(em, 'service');
  await setEligibleProfessionals(em, service, eligibleProfessionalIds);
  await recordAudit(em, { action: 'service.created', tenantId, subjectId: id }, context);
  await announceSettings(em, tenant, ['services'], context);
  return { service, eligibleProfessionalIds };
}
