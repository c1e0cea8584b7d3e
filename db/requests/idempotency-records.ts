import { z } from 'zod';
import { createHash } from 'node:crypto';
import { changedRows, prepared, rowsOf, type EntityManager } from '../connection/statements.ts';

/** docs/idempotency.md#what-is-kept */
const RETENTION_HOURS = 24;

export interface IdempotencyKey {
  tenantId: string;
  /** As sent; only its hash is stored. */
  key: string;
}

/**
 * `found`: the response to an earlier request is stored. `claimed`: this transaction has the key. `running`: another
 * request has the key.
 */
export type IdempotencyClaim =
  | { state: 'found'; sealed: string }
  | { state: 'claimed' }
  | { state: 'running' };

/** Claims a key. Outside a transaction, `claimed` only means that no request has the key at this moment. */
export async function claimIdempotencyKey(em: EntityManager, key: IdempotencyKey): Promise<IdempotencyClaim> {
  const [claim] = await claimIdempotencyKeys(em, [key]);
  if (!claim) throw new Error('an idempotency key could be neither claimed nor found');
  return claim;
}

const CLAIM = z.object({ claimed: z.boolean(), answer: z.string().nullable() });

/** Like `claimIdempotencyKey`, for many keys in one round trip. The results are in the order of the keys. */
export async function claimIdempotencyKeys(
  em: EntityManager,
  keys: readonly IdempotencyKey[],
): Promise<IdempotencyClaim[]> {
  const rows = await rowsOf(prepared(em), CLAIM)`
    SELECT claim.claimed, claim.answer
    FROM unnest(
      ${keys.map(({ tenantId }) => tenantId)}::uuid[],
      ${keys.map(({ key }) => idempotencyKeyHash(key))}::bytea[]
    ) WITH ORDINALITY AS asked (tenant_id, key_hash, nr)
    CROSS JOIN LATERAL claim_idempotency_key(asked.tenant_id, asked.key_hash) AS claim
    ORDER BY nr
  `;
  return rows.map(({ claimed, answer }) => {
    if (answer !== null) return { state: 'found', sealed: answer };
    return { state: claimed ? 'claimed' : 'running' };
  });
}

export interface IdempotencyRecord {
  key: IdempotencyKey;
  /** The answer, encrypted. */
  sealed: string;
}

/** Stores the answers of claimed keys, in the transaction of the claim. */
export async function saveIdempotencyRecords(em: EntityManager, records: readonly IdempotencyRecord[]) {
  const saved = await changedRows(prepared(em))`
    INSERT INTO idempotency_record (tenant_id, key_hash, sealed, expires_at)
    SELECT tenant_id, key_hash, sealed, now() + make_interval(hours => ${RETENTION_HOURS})
    FROM unnest(
      ${records.map(({ key }) => key.tenantId)}::uuid[],
      ${records.map(({ key }) => idempotencyKeyHash(key.key))}::bytea[],
      ${records.map(({ sealed }) => sealed)}::text[]
    ) AS claimed (tenant_id, key_hash, sealed)
    ON CONFLICT (tenant_id, key_hash) DO UPDATE
    SET sealed = excluded.sealed,
        expires_at = excluded.expires_at
    WHERE idempotency_record.expires_at <= now()
  `;
  if (saved < records.length)
    throw new Error('the response for a claimed idempotency key was stored by another request');
}

/** Deletes some expired records and returns how many. Concurrent purges do not wait for each other. */
export function purgeIdempotencyRecords(em: EntityManager, atMost: number): Promise<number> {
  return changedRows(em)`
    DELETE FROM idempotency_record
    WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM idempotency_record
      WHERE expires_at <= now()
      ORDER BY expires_at
      LIMIT ${atMost}
      FOR UPDATE SKIP LOCKED
    ))
  `;
}

/** The stored form of a key. It is hashed, because clients put order numbers and names into keys. */
export function idempotencyKeyHash(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
