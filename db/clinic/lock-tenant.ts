import { sql } from 'kysely';
import { TenantEntity, type TenantRow } from '../entities/tenant.entity.ts';
import type { Sql } from '../connection/open-database.ts';

/** Reads the clinic and holds it against other changes, not against bookings, until the transaction ends. */
export async function lockTenant(tx: Sql, id: string): Promise<TenantRow | null> {
  const { rows } = await sql<Record<string, unknown>>`
    SELECT * FROM tenant WHERE id = ${id} FOR NO KEY UPDATE
  `.execute(tx.getKysely());
  return rows[0] ? { ...tx.map(TenantEntity, rows[0]) } : null;
}
