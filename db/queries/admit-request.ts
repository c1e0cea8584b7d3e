import { sql } from 'kysely';
import { ADDRESS_LIMITS, KEY_LIMITS } from '../../domain/rate-limits.ts';
import type { Sql } from '../open-database.ts';
import {
  countColumns,
  limitsOf,
  secondsOf,
  toCountedRequest,
  type CountColumns,
  type CountedRequest,
} from '../rate-limit.ts';
import { apiKeyColumns, presentedKey, type PresentedKey, type StoredApiKey } from './find-api-key.ts';

export interface Admission {
  /** The key with this public id, whether it is good or not. */
  stored: StoredApiKey | null;
  /** Against the limits of the key when it is good, of the address otherwise. */
  counted: CountedRequest;
}

type AdmissionRow = CountColumns & { isGood: boolean } & (StoredApiKey | { id: null });

export function keySubject(keyId: string): string {
  return `key:${keyId}`;
}

export function addressSubject(address: string): string {
  return `address:${address}`;
}

/** Authenticates and counts a request in one round trip. */
export async function admitRequest(
  db: Sql,
  key: PresentedKey,
  address: string,
  now: Date,
): Promise<Admission> {
  const { rows } = await sql<AdmissionRow>`
    /* prepared: admit-request */
    SELECT
      presented.is_good AS "isGood",
      ${apiKeyColumns()},
      ${countColumns()}
    FROM ${presentedKey(key, now)}
    CROSS JOIN LATERAL count_request(
      CASE WHEN is_good THEN ${keySubject('')} || presented.id ELSE ${addressSubject(address)} END,
      CASE WHEN is_good THEN ${limitsOf(KEY_LIMITS)} ELSE ${limitsOf(ADDRESS_LIMITS)} END,
      CASE WHEN is_good THEN ${secondsOf(KEY_LIMITS)} ELSE ${secondsOf(ADDRESS_LIMITS)} END
    ) AS count
  `.execute(db.getKysely());
  const [row] = rows;
  if (!row) throw new Error('a request was neither admitted nor refused');
  const counted = toCountedRequest(row, row.isGood ? KEY_LIMITS : ADDRESS_LIMITS);
  return { stored: row.id === null ? null : row, counted };
}
