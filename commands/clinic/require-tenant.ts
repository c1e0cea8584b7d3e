import { TenantEntity, type TenantRow } from '../../db/entities/tenant.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { notFound } from '../../domain/service-error.ts';

/** The clinic with this id. @throws ServiceError `not_found` */
export function requireTenant(em: EntityManager, id: string): Promise<TenantRow> {
  return em.findOneOrFail(TenantEntity, { id }, { failHandler: () => notFound('clinic', id) });
}
