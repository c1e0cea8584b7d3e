import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import type { ParsedApiKey } from '../../domain/clinic/api-key.ts';
import { columnsOf } from '../connection/columns.ts';
import { prepared, rowsOf, type EntityManager } from '../connection/statements.ts';

export type PresentedKey = Pick<ParsedApiKey, 'publicId' | 'secretHash'>;

const STORED_API_KEY = columnsOf('api_key', 'id', 'tenantId', 'secretHash', 'scopes').extend({
  isExpired: z.boolean(),
  isRevoked: z.boolean(),
  isClinicCanceled: z.boolean(),
});
export type StoredApiKey = z.infer<typeof STORED_API_KEY>;

/** The row schema for one of `presentedKeys`, with more columns. The key may not exist. */
export function presentedKey<More extends z.ZodRawShape>(more: More) {
  return z.union([STORED_API_KEY.extend(more), z.object({ ...more, id: z.null() })]);
}

const PRESENTED_KEY = presentedKey({ nr: z.number() });

/**
 * The keys with these public IDs in the same order, or null for keys that do not exist. The same round trip records the
 * keys' use, at most once a minute and only for valid keys with the right secret.
 */
export async function findApiKeys(em: EntityManager, keys: readonly PresentedKey[], now: Date) {
  const rows = await rowsOf(prepared(em), PRESENTED_KEY)`
    SELECT presented.nr, ${API_KEY_COLUMNS}
    FROM (${presentedKeys(keys, now)}) AS presented
  `;
  const found = keys.map((): StoredApiKey | null => null);
  for (const { nr, ...key } of rows) if (key.id !== null) found[nr] = key;
  return found;
}

/**
 * One row per key, numbered from 0, even if the key does not exist. Locks are taken in a fixed order. The keys are
 * passed as JSON, because for an array PostgreSQL would plan the statement again each time.
 */
export function presentedKeys(keys: readonly PresentedKey[], now: Date): RawBuilder<unknown> {
  const asked = keys.map(({ publicId, secretHash }, nr) => ({
    nr,
    publicId,
    hash: secretHash.toString('hex'),
  }));
  return sql`
    SELECT asked.nr, used.*
    FROM (
      SELECT *
      FROM json_to_recordset(${JSON.stringify(asked)}::json) AS asked (nr integer, "publicId" text, hash text)
      ORDER BY "publicId"
    ) AS asked
    CROSS JOIN LATERAL use_api_key(asked."publicId", decode(asked.hash, 'hex'), ${now}) AS used
  `;
}

/** Columns of the keys in `presented`. */
export const API_KEY_COLUMNS = sql`
  presented.id,
  presented.tenant_id,
  presented.secret_hash,
  presented.scopes,
  presented.is_expired,
  presented.is_revoked,
  (SELECT status = 'canceled' FROM tenant WHERE tenant.id = presented.tenant_id) AS is_clinic_canceled`;
