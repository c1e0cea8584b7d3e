import type { StoredClinicKey } from '../../domain/encryption/clinic-ciphers.ts';
import { changedRows, prepared, run, valuesOf, type EntityManager } from '../connection/statements.ts';

/** The clinic's key as it is stored; null once it was destroyed, undefined before it is made. */
export async function findClinicKey(em: EntityManager, tenantId: string): Promise<StoredClinicKey> {
  const rows = await prepared<{ sealed: string | null }>(em)`
    SELECT sealed FROM clinic_key WHERE tenant_id = ${tenantId}
  `;
  return rows[0]?.sealed;
}

/** Keeps the clinic's key, unless it has one. */
export function insertClinicKey(em: EntityManager, tenantId: string, sealed: string) {
  return run(em)`
    INSERT INTO clinic_key (tenant_id, sealed) VALUES (${tenantId}, ${sealed}) ON CONFLICT (tenant_id) DO NOTHING
  `;
}

/** Nothing that was sealed under it opens again. Returns how many keys there were: one, or none. */
export function destroyClinicKey(em: EntityManager, tenantId: string) {
  return changedRows(em)`
    INSERT INTO clinic_key (tenant_id, sealed, destroyed_at)
    VALUES (${tenantId}, NULL, now())
    ON CONFLICT (tenant_id) DO UPDATE
    SET sealed = NULL, destroyed_at = now()
    WHERE clinic_key.destroyed_at IS NULL
  `;
}

/** The next clinics that have no key yet; fewer than `limit`: the last ones. */
export function clinicsWithoutKey(em: EntityManager, limit: number) {
  return valuesOf<string>(em)`
    SELECT id
    FROM tenant
    WHERE NOT EXISTS (SELECT FROM clinic_key WHERE tenant_id = tenant.id)
    ORDER BY id
    LIMIT ${limit}
  `;
}
