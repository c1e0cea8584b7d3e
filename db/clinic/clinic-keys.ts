import { sql } from 'kysely';
import type { StoredClinicKey } from '../../domain/encryption/clinic-ciphers.ts';
import { changedRows, prepared, rowsOf, run, type EntityManager } from '../connection/statements.ts';

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

export interface SealedClinicKey {
  tenantId: string;
  sealed: string;
}

/** The next keys, by their clinics, that are sealed otherwise than with this header; held until the transaction ends. */
export function lockOtherClinicKeys(em: EntityManager, header: string, after: string | null, limit: number) {
  return rowsOf<SealedClinicKey>(em)`
    SELECT tenant_id AS "tenantId", sealed
    FROM clinic_key
    WHERE NOT starts_with(sealed, ${`${header}.`})
      AND ${after === null ? sql`true` : sql`tenant_id > ${after}::uuid`}
    ORDER BY tenant_id
    LIMIT ${limit}
    FOR NO KEY UPDATE
  `;
}

/** Keeps them as they are sealed now. */
export function replaceClinicKeys(em: EntityManager, keys: readonly SealedClinicKey[]) {
  return run(em)`
    UPDATE clinic_key
    SET sealed = given.sealed
    FROM json_to_recordset(${JSON.stringify(keys)}::json) AS given ("tenantId" uuid, sealed text)
    WHERE tenant_id = given."tenantId"
  `;
}

/** How many keys of clinics each key of ENCRYPTION_KEY has sealed. */
export function countClinicKeys(em: EntityManager) {
  return rowsOf<{ keyId: string; rows: number }>(em)`
    SELECT split_part(sealed, '.', 2) AS "keyId", count(*)::integer AS rows
    FROM clinic_key
    WHERE sealed IS NOT NULL
    GROUP BY 1
    ORDER BY 2 DESC, 1
  `;
}
