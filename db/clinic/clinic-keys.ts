import { sql } from 'kysely';
import { z } from 'zod';
import type { StoredClinicKey } from '../../domain/encryption/clinic-ciphers.ts';
import {
  changedRows,
  prepared,
  rowsOf,
  run,
  valuesOf,
  type EntityManager,
} from '../connection/statements.ts';

/** The clinic's key as it is stored; null after it was destroyed, undefined before it is created. */
export async function findClinicKey(em: EntityManager, tenantId: string): Promise<StoredClinicKey> {
  const [sealed] = await valuesOf(prepared(em), z.string().nullable())`
    SELECT sealed FROM clinic_key WHERE tenant_id = ${tenantId}
  `;
  return sealed;
}

/** Stores the clinic's key unless it has one. */
export function insertClinicKey(em: EntityManager, tenantId: string, sealed: string) {
  return run(em)`
    INSERT INTO clinic_key (tenant_id, sealed) VALUES (${tenantId}, ${sealed}) ON CONFLICT (tenant_id) DO NOTHING
  `;
}

/**
 * Destroys the clinic's key, so that nothing encrypted with it can be decrypted again. Returns the number of destroyed
 * keys: one or none.
 */
export function destroyClinicKey(em: EntityManager, tenantId: string) {
  return changedRows(em)`
    INSERT INTO clinic_key (tenant_id, sealed, destroyed_at)
    VALUES (${tenantId}, NULL, now())
    ON CONFLICT (tenant_id) DO UPDATE
    SET sealed = NULL, destroyed_at = now()
    WHERE clinic_key.destroyed_at IS NULL
  `;
}

const SEALED_CLINIC_KEY = z.object({
  tenantId: z.string(),
  sealed: z.string(),
});
export type SealedClinicKey = z.infer<typeof SEALED_CLINIC_KEY>;

/** The next clinic keys whose encrypted text does not begin with this header, locked until the transaction ends. */
export function lockOtherClinicKeys(em: EntityManager, header: string, after: string | null, limit: number) {
  return rowsOf(em, SEALED_CLINIC_KEY)`
    SELECT tenant_id, sealed
    FROM clinic_key
    WHERE NOT starts_with(sealed, ${`${header}.`})
      AND ${after === null ? sql`true` : sql`tenant_id > ${after}::uuid`}
    ORDER BY tenant_id
    LIMIT ${limit}
    FOR NO KEY UPDATE
  `;
}

/** Stores re-encrypted keys. */
export function replaceClinicKeys(em: EntityManager, keys: readonly SealedClinicKey[]) {
  return run(em)`
    UPDATE clinic_key
    SET sealed = given.sealed
    FROM json_to_recordset(${JSON.stringify(keys)}::json) AS given ("tenantId" uuid, sealed text)
    WHERE tenant_id = given."tenantId"
  `;
}

const KEYS_SEALED = z.object({ keyId: z.string(), rows: z.number() });

/** How many clinic keys each key of ENCRYPTION_KEY has encrypted. */
export function countClinicKeys(em: EntityManager) {
  return rowsOf(em, KEYS_SEALED)`
    SELECT split_part(sealed, '.', 2) AS key_id, count(*)::integer AS rows
    FROM clinic_key
    WHERE sealed IS NOT NULL
    GROUP BY 1
    ORDER BY 2 DESC, 1
  `;
}
