import type { EntityManager } from '../connection/open-database.ts';
import { TenantEntity, type TenantRow } from '../entities/tenant.entity.ts';

/** The clinic with this public address, while patients may book there by themselves. */
export function findPublicClinic(em: EntityManager, publicSlug: string): Promise<TenantRow | null> {
  return em.findOne(TenantEntity, { publicSlug, publicBookingEnabled: true, status: { $ne: 'canceled' } });
}
