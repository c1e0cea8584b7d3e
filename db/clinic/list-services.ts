import { ServiceTypeEntity, type ServiceTypeRow } from '../entities/service-type.entity.ts';
import type { Sql } from '../connection/open-database.ts';
import { eligibleProfessionals } from './service-eligibility.ts';

export interface ListedService {
  service: ServiceTypeRow;
  /** Empty when every professional offers it. */
  eligibleProfessionalIds: string[];
}

/** All services of the clinic, inactive ones too, by name. */
export async function listServices(db: Sql, tenantId: string): Promise<ListedService[]> {
  const services = await db.find(ServiceTypeEntity, { tenantId }, { orderBy: { name: 'asc', id: 'asc' } });
  const ids = services.map(({ id }) => id);
  const eligible = await eligibleProfessionals(db, tenantId, ids);
  return services.map((service) => ({ service, eligibleProfessionalIds: eligible.get(service.id) ?? [] }));
}
