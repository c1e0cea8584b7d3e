import { ServiceError } from '../../domain/service-error.ts';
import { TenantEntity, type TenantRow } from '../entities/tenant.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';

/** The clinic with this id. @throws ServiceError `not_found` */
export async function requireTenant(em: EntityManager, id: string): Promise<TenantRow> {
  const tenant = await em.findOne(TenantEntity, { id });
  if (!tenant) throw new ServiceError('not_found', `There is no clinic with the id ${id}.`);
  return tenant;
}
