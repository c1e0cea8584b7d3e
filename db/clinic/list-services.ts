import { ServiceTypeEntity, type ServiceTypeRow } from '../entities/service-type.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { eligibleProfessionals } from './service-eligibility.ts';

export interface ServiceWithProfessionals {
  service: ServiceTypeRow;
  /** Empty when every professional offers it. */
  eligibleProfessionalIds: string[];
}

/** All services of the clinic, inactive ones too, by name. */
export async function listServices(em: EntityManager, tenantId: string): Promise<ServiceWithProfessionals[]> {
  const services = await em.find(ServiceTypeEntity, { tenantId }, { orderBy: { name: 'asc', id: 'asc' } });
  const ids = services.map(({ id }) => id);
  const eligible = await eligibleProfessionals(em, tenantId, ids);
  return services.map((service) => ({ service, eligibleProfessionalIds: eligible.get(service.id) ?? [] }));
}
