import { ServiceTypeEntity, type ServiceTypeRow } from '../../db/entities/service-type.entity.ts';
import { lockService } from '../../db/clinic/lock-service.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { eligibleProfessionals, setEligibleProfessionals } from '../../db/clinic/service-eligibility.ts';
import { notFound } from '../../domain/service-error.ts';
import type { CommandContext } from '../command-context.ts';
import { givenFields } from './given-fields.ts';
import type { ServiceWithProfessionals } from './create-service.ts';
import { professionalsOfClinic } from './professionals-of-clinic.ts';

export interface UpdateService {
  serviceId: string;
  /** Fields left out stay as they are. Appointments made keep their length. */
  fields: Partial<
    Pick<ServiceTypeRow, 'name' | 'description' | 'durationMinutes' | 'bufferMinutes' | 'priceEur' | 'active'>
  >;
  /** Replaces the whole list; empty means everybody, undefined leaves it. */
  professionalIds?: readonly string[] | undefined;
}

/** Errors: `not_found`, `validation_failed` (a professional the clinic does not have). */
export async function updateService(
  em: EntityManager,
  { serviceId: id, fields, professionalIds }: UpdateService,
  context: CommandContext,
): Promise<ServiceWithProfessionals> {
  const found = await lockService(em, id);
  if (!found) throw notFound('service', id);
  const { tenantId } = found;
  if (professionalIds) {
    const wanted = await professionalsOfClinic(em, tenantId, professionalIds);
    await setEligibleProfessionals(em, { tenantId, serviceTypeId: id }, wanted);
  }
  await em.nativeUpdate(ServiceTypeEntity, { id }, { ...givenFields(fields), updatedAt: context.now });
  const service = await em.findOneOrFail(ServiceTypeEntity, { id });
  const eligible = await eligibleProfessionals(em, tenantId, [id]);
  return { service, eligibleProfessionalIds: eligible.get(service.id) ?? [] };
}
