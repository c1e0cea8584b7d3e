import { ServiceTypeEntity, type ServiceTypeRow } from '../../db/entities/service-type.entity.ts';
import { lockRow } from '../../db/connection/lock-row.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { ServiceWithProfessionals } from '../../db/clinic/list-services.ts';
import { eligibleProfessionals, setEligibleProfessionals } from '../../db/clinic/service-eligibility.ts';
import { notFound } from '../../domain/service-error.ts';
import { changedFields } from '../changed-fields.ts';
import type { CommandContext } from '../command-context.ts';
import { recordAudit } from '../record-audit.ts';
import { professionalsOfClinic } from './professionals-of-clinic.ts';

export interface UpdateService {
  /** In this clinic alone; in any unless told, for operators. */
  tenantId?: string;
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
  { serviceId: id, tenantId: ofTenant, fields, professionalIds }: UpdateService,
  context: CommandContext,
): Promise<ServiceWithProfessionals> {
  const service = await lockRow(em, ServiceTypeEntity, { id, ...(ofTenant && { tenantId: ofTenant }) });
  if (!service) throw notFound('service', id);
  const { tenantId } = service;
  if (professionalIds) {
    await setEligibleProfessionals(em, service, await professionalsOfClinic(em, tenantId, professionalIds));
  }
  const changes = changedFields<ServiceTypeRow>(service, fields);
  em.assign(service, { ...fields, updatedAt: context.now });
  await em.flush();
  const details = { fields: [...Object.keys(changes), ...(professionalIds ? ['professionals'] : [])] };
  await recordAudit(em, { action: 'service.updated', tenantId, subjectId: id, details }, context);
  const eligible = await eligibleProfessionals(em, tenantId, [id]);
  return { service, eligibleProfessionalIds: eligible.get(service.id) ?? [] };
}
