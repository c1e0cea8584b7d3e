import { ServiceTypeEntity, type ServiceTypeRow } from '../entities/service-type.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { listedByName, type ListedByName } from './page-by-name.ts';
import { ServiceEligibilityEntity } from '../entities/service-eligibility.entity.ts';

export interface ServiceWithProfessionals {
  service: ServiceTypeRow;
  /** Empty when every professional offers it. */
  eligibleProfessionalIds: string[];
}

/** The clinic's services by name: all, or a page of them. */
export async function listServices(
  em: EntityManager,
  tenantId: string,
  wanted: ListedByName = {},
): Promise<ServiceWithProfessionals[]> {
  const { where, options } = listedByName(tenantId, wanted);
  const services = await em.find(ServiceTypeEntity, where, options);
  const ids = services.map(({ id }) => id);
  const eligible = await eligibleProfessionals(em, tenantId, ids);
  return services.map((service) => ({ service, eligibleProfessionalIds: eligible.get(service.id) ?? [] }));
}

/** A service, active or not; null when the clinic has no such service. */
export async function findService(
  em: EntityManager,
  tenantId: string,
  id: string,
): Promise<ServiceWithProfessionals | null> {
  const service = await em.findOne(ServiceTypeEntity, { tenantId, id });
  if (!service) return null;
  const eligible = await eligibleProfessionals(em, tenantId, [id]);
  return { service, eligibleProfessionalIds: eligible.get(service.id) ?? [] };
}

/**
 * The professionals of each service that lists professionals. A service that is missing from the map is offered by all
 * professionals.
 */
export async function eligibleProfessionals(
  em: EntityManager,
  tenantId: string,
  serviceTypeIds: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await em.find(
    ServiceEligibilityEntity,
    { tenantId, serviceTypeId: { $in: [...serviceTypeIds] } },
    { orderBy: { professionalId: 'asc' } },
  );
  const byService = [...Map.groupBy(rows, ({ serviceTypeId }) => serviceTypeId)];
  return new Map(
    byService.map(([id, eligible]) => [id, eligible.map(({ professionalId }) => professionalId)]),
  );
}

/** Sets the professionals who offer the service. An empty list means all professionals. */
export async function setEligibleProfessionals(
  em: EntityManager,
  { tenantId, id: serviceTypeId }: { tenantId: string; id: string },
  professionalIds: readonly string[],
): Promise<void> {
  await em.nativeDelete(ServiceEligibilityEntity, { tenantId, serviceTypeId });
  const rows = professionalIds.map((professionalId) => ({ tenantId, serviceTypeId, professionalId }));
  if (rows.length > 0) await em.insertMany(ServiceEligibilityEntity, rows);
}
