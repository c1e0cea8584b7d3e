import { sql } from 'kysely';
import { TenantEntity, type TenantRow } from '../entities/tenant.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';

/** Reads the clinic and holds it against other changes, not against bookings, until the transaction ends. */
export async function lockTenant(em: EntityManager, id: string): Promise<TenantRow | null> {
  const { rows } = await sql<Record<string, unknown>>`
    SELECT * FROM tenant WHERE id = ${id} FOR NO KEY UPDATE
  `.execute(em.getKysely());
  return rows[0] ? { ...em.map(TenantEntity, rows[0]) } : null;
}
