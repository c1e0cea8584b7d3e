import { uuidv7 } from 'uuidv7';
import { ServiceTypeEntity, type ServiceTypeRow } from '../../db/entities/service-type.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { requireTenant } from './require-tenant.ts';
import type { ServiceWithProfessionals } from '../../db/clinic/list-services.ts';
import { setEligibleProfessionals } from '../../db/clinic/service-eligibility.ts';
import type { CommandContext } from '../command-context.ts';
import { recordAudit } from '../record-audit.ts';
import { professionalsOfClinic } from './professionals-of-clinic.ts';

export interface NewService extends Omit<ServiceTypeRow, 'id' | 'active' | 'createdAt' | 'updatedAt'> {
  /** A new one unless told. */
  id?: string;
  /** Empty: every professional of the clinic offers it. */
  professionalIds: readonly string[];
}

/** Errors: `not_found` (clinic), `validation_failed` (a professional the clinic does not have). */
export async function createService(
  em: EntityManager,
  input: NewService,
  context: CommandContext,
): Promise<ServiceWithProfessionals> {
  const { professionalIds, ...fields } = input;
  await requireTenant(em, input.tenantId);
  const eligibleProfessionalIds = await professionalsOfClinic(em, input.tenantId, professionalIds);
  const times = { createdAt: context.now, updatedAt: context.now };
  const service = em.create(ServiceTypeEntity, { id: uuidv7(), ...fields, ...times });
  await em.flush();
  await setEligibleProfessionals(em, service, eligibleProfessionalIds);
  const { tenantId, id: subjectId } = service;
  await recordAudit(em, { action: 'service.created', tenantId, subjectId }, context);
  return { service, eligibleProfessionalIds };
}
