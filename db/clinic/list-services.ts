import { ServiceTypeEntity, type ServiceTypeRow } from '../entities/service-type.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { laterByName, type PageByName } from './page-by-name.ts';
import { eligibleProfessionals } from './service-eligibility.ts';

export interface ServiceWithProfessionals {
  service: ServiceTypeRow;
  /** Empty when every professional offers it. */
  eligibleProfessionalIds: string[];
}

/** The services of the clinic, inactive ones too, by name: all, or a page of them. */
export async function listServices(
  em: EntityManager,
  tenantId: string,
  page?: PageByName,
): Promise<ServiceWithProfessionals[]> {
  const where = { tenantId, ...(page && laterByName(page)) };
  const limit = page && { limit: page.limit };
  const services = await em.find(ServiceTypeEntity, where, {
    orderBy: { name: 'asc', id: 'asc' },
    ...limit,
  });
  const ids = services.map(({ id }) => id);
  const eligible = await eligibleProfessionals(em, tenantId, ids);
  return services.map((service) => ({ service, eligibleProfessionalIds: eligible.get(service.id) ?? [] }));
}

/** Null when the clinic has no such service. */
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
