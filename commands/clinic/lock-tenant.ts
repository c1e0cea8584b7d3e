import { lockRow } from '../../db/connection/locks/lock-row.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { TenantEntity, type TenantRow } from '../../db/entities/tenant.entity.ts';
import { requireFound } from '../require-found.ts';

/**
 * The clinic, held while its settings, people or services change: one change at a time, each with an event that says how
 * all stands after it. Bookings do not wait for it. Lock it before anything that belongs to it. @throws ServiceError `not_found`
 */
export async function lockTenant(em: EntityManager, id: string): Promise<TenantRow> {
  return requireFound(await lockRow(em, TenantEntity, { id }), 'clinic', id);
}
