import { TenantEntity, type TenantRow } from '../../db/entities/tenant.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { requireFound } from '../require-found.ts';

/** The clinic with this id. @throws ServiceError `not_found` */
export async function requireTenant(em: EntityManager, id: string): Promise<TenantRow> {
  return requireFound(await em.findOne(TenantEntity, { id }), 'clinic', id);
}
