import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { ApiKeyEntity, type ApiKeyRow } from '../entities/api-key.entity.ts';
import { columnsOf } from '../connection/columns.ts';
import { onlyRow, onlyValue, rowsOf, run, type EntityManager } from '../connection/statements.ts';

/**
 * The clinic's keys, newest first, including expired and revoked keys. @param before the ID of the last key already
 * shown
 */
export function listApiKeys(
  em: EntityManager,
  wanted: { tenantId: string; before: string | undefined; limit: number },
): Promise<ApiKeyRow[]> {
  const { tenantId, before, limit } = wanted;
  const where = { tenantId, ...(before && { id: { $lt: before } }) };
  return em.find(ApiKeyEntity, where, { orderBy: { id: 'desc' }, limit });
}

/** Null when the clinic has no such key. */
export function findApiKeyById(em: EntityManager, tenantId: string, id: string): Promise<ApiKeyRow | null> {
  return em.findOne(ApiKeyEntity, { tenantId, id });
}

/**
 * Whether the key has expired or was revoked by now. (`now` is when the request arrived; the request may have waited
 * since.)
 */
export async function hasEnded(em: EntityManager, { expiresAt }: ApiKeyRow, now: Date): Promise<boolean> {
  if (!expiresAt || expiresAt <= now) return expiresAt !== null;
  return onlyValue(em, z.boolean())`SELECT ${expiresAt}::timestamptz <= clock_timestamp()`;
}

export interface KeyOfTenant {
  tenantId: string;
  keyId: string;
}

/** A valid key that is revoked together with another key. */
const ENDING_KEY = columnsOf('api_key', 'id', 'name', 'publicId');
export type EndingKey = z.infer<typeof ENDING_KEY>;

/** The valid keys that were created with a key, directly or indirectly. */
export function findKeysMadeWith(em: EntityManager, key: KeyOfTenant, now: Date): Promise<EndingKey[]> {
  const made = reach('made', { ...key, along: MADE });
  return liveOnes(em, key, now, sql`WITH RECURSIVE ${made} SELECT id FROM made`);
}

/**
 * The valid keys that are revoked together with a key: its successors and the keys created with it, and in turn their
 * successors and created keys, also through keys that are no longer valid. With `keepsSuccessor`, the successor and the
 * keys derived from it stay valid, except keys created with the revoked key.
 */
export function findKeysEndingWith(
  em: EntityManager,
  key: KeyOfTenant,
  { keepsSuccessor, now }: { keepsSuccessor: boolean; now: Date },
): Promise<EndingKey[]> {
  if (!keepsSuccessor) {
    const ending = reach('ending', { ...key, along: MADE_OR_ROLLED });
    return liveOnes(em, key, now, sql`WITH RECURSIVE ${ending} SELECT id FROM ending`);
  }
  const made = reach('made', { ...key, along: MADE });
  const successors = reach('successors', { ...key, along: MADE_OR_ROLLED, first: ROLLED, except: 'made' });
  const ending = reach('ending', { ...key, along: MADE_OR_ROLLED, except: 'successors' });
  return liveOnes(em, key, now, sql`WITH RECURSIVE ${made}, ${successors}, ${ending} SELECT id FROM ending`);
}

/** Whether two keys are the same, or one was derived from the other by creating or rolling. */
export async function areRelatedKeys(em: EntityManager, tenantId: string, one: string, other: string) {
  const below = (keyId: string) => reach('below', { tenantId, keyId, along: MADE_OR_ROLLED });
  return onlyValue(em, z.boolean())`
    SELECT ${one}::uuid = ${other}::uuid
      OR ${other}::uuid IN (WITH RECURSIVE ${below(one)} SELECT id FROM below)
      OR ${one}::uuid IN (WITH RECURSIVE ${below(other)} SELECT id FROM below)
  `;
}

const MADE = ['parent_key_id'] as const;
const ROLLED = ['rolled_from_key_id'] as const;
const MADE_OR_ROLLED = [...MADE, ...ROLLED] as const;
type Relation = (typeof MADE_OR_ROLLED)[number];

interface Reach extends KeyOfTenant {
  along: readonly Relation[];
  /** The relation of the first step; by default, any. */
  first?: readonly Relation[];
  /** An earlier list. Its keys and everything derived from them are left out. */
  except?: 'made' | 'successors';
}

/**
 * A statement part `name` that lists the keys derived from a key. Each relation points to an older key, so there are no
 * cycles.
 */
function reach(name: string, { tenantId, keyId, along, first = along, except }: Reach): RawBuilder<unknown> {
  const list = sql.ref(name);
  const step = (from: RawBuilder<unknown>, relations: readonly Relation[]) => sql`
    api_key.tenant_id = ${tenantId}
    AND (${sql.join(
      relations.map((relation) => sql`api_key.${sql.ref(relation)} = ${from}`),
      sql` OR `,
    )})
    ${except === undefined ? sql`` : sql`AND api_key.id NOT IN (SELECT id FROM ${sql.ref(except)})`}
  `;
  return sql`${list} (id) AS (
    SELECT api_key.id FROM api_key WHERE ${step(sql`${keyId}::uuid`, first)}
    UNION
    SELECT api_key.id FROM ${list} JOIN api_key ON ${step(sql`${list}.id`, along)}
  )`;
}

function liveOnes(em: EntityManager, { tenantId }: KeyOfTenant, now: Date, ids: RawBuilder<unknown>) {
  return rowsOf(em, ENDING_KEY)`
    SELECT id, name, public_id
    FROM api_key
    WHERE tenant_id = ${tenantId}
      AND id IN (${ids})
      AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > ${now})
    ORDER BY id
  `;
}

/** Revokes keys. A key that is already revoked keeps its time. */
export function revokeKeys(em: EntityManager, tenantId: string, ids: readonly string[], now: Date) {
  return endKeys(em, tenantId, ids, sql`revoked_at = coalesce(revoked_at, ${now})`);
}

/** Sets a time at which keys expire, unless they expire earlier. */
export function expireKeys(em: EntityManager, tenantId: string, ids: readonly string[], end: Date) {
  return endKeys(em, tenantId, ids, sql`expires_at = least(expires_at, ${end})`);
}

/** Updates keys, locked in the same order as when requests record the use of keys, so that the two cannot deadlock. */
function endKeys(em: EntityManager, tenantId: string, ids: readonly string[], ending: RawBuilder<unknown>) {
  return run(em)`
    WITH held AS (
      SELECT id
      FROM api_key
      WHERE tenant_id = ${tenantId} AND id = ANY (${[...ids]}::uuid[])
      ORDER BY public_id
      FOR NO KEY UPDATE
    )
    UPDATE api_key SET ${ending}
    FROM held
    WHERE api_key.id = held.id
  `;
}

const PORTAL_ACCESS = z.object({ portalLinks: z.number(), portalSessions: z.number() });

/** The number of unused portal links of these keys, and of live sessions opened by such links. */
export function countPortalAccess(em: EntityManager, tenantId: string, keyIds: readonly string[], now: Date) {
  const keys = sql`tenant_id = ${tenantId} AND api_key_id = ANY (${[...keyIds]}::uuid[])`;
  return onlyRow(em, PORTAL_ACCESS)`
    SELECT
      (SELECT count(*)::integer FROM portal_link WHERE ${keys} AND used_at IS NULL AND expires_at > ${now}) AS portal_links,
      (SELECT count(*)::integer FROM session WHERE ${keys} AND ends_at > ${now}) AS portal_sessions
  `;
}
