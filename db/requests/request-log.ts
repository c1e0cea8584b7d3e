import { sql } from 'kysely';
import type { ErrorCode } from '../../domain/error-codes.ts';
import { firstIdAt } from '../../domain/first-id.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { prepared } from '../connection/prepared.ts';

/** docs/keys-and-scopes.md#what-a-key-has-asked */
const RETENTION_MS = 7 * 86_400_000;

/** A request that was answered. Nothing in it was made up by the caller. */
export interface LoggedRequest {
  /** Its `X-Request-Id`, a UUIDv7: when it came. */
  id: string;
  method: string;
  /** The path template. */
  route: string;
  status: number;
  /** The code of its refusal; null when it was carried out. */
  error: ErrorCode | null;
  durationMs: number;
}

export type RequestToLog = LoggedRequest & { tenantId: string; keyId: string };

export async function insertRequests(em: EntityManager, requests: readonly RequestToLog[]): Promise<void> {
  await prepared(em)`
    INSERT INTO request_log (id, tenant_id, key_id, method, route, status, error, duration_ms)
    SELECT id, "tenantId", "keyId", method, route, status, error, "durationMs"
    FROM json_to_recordset(${JSON.stringify(requests)}::json) AS answered (
      id uuid, "tenantId" uuid, "keyId" uuid, method text, route text, status smallint, error text, "durationMs" integer
    )
  `;
}

export interface WantedRequests {
  tenantId: string;
  keyId: string;
  error?: ErrorCode | undefined;
  /** Inclusive. */
  since?: Date | undefined;
  /** Exclusive. */
  until?: Date | undefined;
  /** The id of the last one already shown. */
  before?: string | undefined;
  limit: number;
}

/** What a key has asked within the week before `now`, latest first. */
export async function listRequests(
  em: EntityManager,
  { tenantId, keyId, error, since, until, before, limit }: WantedRequests,
  now: Date,
): Promise<LoggedRequest[]> {
  const earliest = Math.max(now.getTime() - RETENTION_MS, since?.getTime() ?? -Infinity);
  const conditions = [
    sql`tenant_id = ${tenantId}`,
    sql`key_id = ${keyId}`,
    sql`id >= ${firstIdAt(new Date(earliest))}`,
    ...(until ? [sql`id < ${firstIdAt(until)}`] : []),
    ...(error === undefined ? [] : [sql`error = ${error}`]),
    ...(before === undefined ? [] : [sql`id < ${before}`]),
  ];
  const { rows } = await sql<LoggedRequest>`
    SELECT id, method, route, status, error, duration_ms AS "durationMs"
    FROM request_log
    WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY id DESC
    LIMIT ${limit}
  `.execute(em.getKysely());
  return rows;
}

/** Removes some of those that are older than a week, and returns how many. */
export async function purgeRequestLog(em: EntityManager, now: Date, atMost: number): Promise<number> {
  const { rows } = await sql`
    DELETE FROM request_log
    WHERE id = ANY (ARRAY(
      SELECT id
      FROM request_log
      WHERE id < ${firstIdAt(new Date(now.getTime() - RETENTION_MS))}
      ORDER BY id
      LIMIT ${atMost}
      FOR UPDATE SKIP LOCKED
    ))
    RETURNING 1
  `.execute(em.getKysely());
  return rows.length;
}
