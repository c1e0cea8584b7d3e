import { sql } from 'kysely';
import type { StoredClinicKey } from '../../domain/encryption/clinic-ciphers.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { prepared } from '../connection/prepared.ts';

/** The clinic's key as it is stored; null once it was destroyed, undefined before it is made. */
export async function findClinicKey(em: EntityManager, tenantId: string): Promise<StoredClinicKey> {
  const { rows } = await prepared<{ sealed: string | null }>(em)`
    SELECT sealed FROM clinic_key WHERE tenant_id = ${tenantId}
  `;
  return rows[0]?.sealed;
}

/** Keeps the clinic's key, unless it has one. */
export async function insertClinicKey(em: EntityManager, tenantId: string, sealed: string): Promise<void> {
  await sql`
    INSERT INTO clinic_key (tenant_id, sealed) VALUES (${tenantId}, ${sealed}) ON CONFLICT (tenant_id) DO NOTHING
  `.execute(em.getKysely());
}

/** Nothing that was sealed under it opens again. Returns how many keys there were: one, or none. */
export async function destroyClinicKey(em: EntityManager, tenantId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    INSERT INTO clinic_key (tenant_id, sealed, destroyed_at)
    VALUES (${tenantId}, NULL, now())
    ON CONFLICT (tenant_id) DO UPDATE
    SET sealed = NULL, destroyed_at = now()
    WHERE clinic_key.destroyed_at IS NULL
  `.execute(em.getKysely());
  return Number(numAffectedRows ?? 0);
}

/** The next clinics that have no key yet; fewer than `limit`: the last ones. */
export async function clinicsWithoutKey(em: EntityManager, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id
    FROM tenant
    WHERE NOT EXISTS (SELECT FROM clinic_key WHERE tenant_id = tenant.id)
    ORDER BY id
    LIMIT ${limit}
  `.execute(em.getKysely());
  return rows.map(({ id }) => id);
}
