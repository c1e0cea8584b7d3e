import { ServiceTypeEntity, type ServiceTypeRow } from '../entities/service-type.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { listedByName, type ListedByName } from './page-by-name.ts';
import { eligibleProfessionals } from './service-eligibility.ts';

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

/** Active or not; null when the clinic has no such service. */
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
