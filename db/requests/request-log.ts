import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import type { ErrorCode } from '../../domain/error-codes.ts';
import { firstIdAt } from '../../domain/first-id.ts';
import { listOf } from '../connection/columns.ts';
import {
  changedRows,
  firstRow,
  prepared,
  rowsOf,
  run,
  type EntityManager,
} from '../connection/statements.ts';

/** docs/keys-and-scopes.md#request-log */
const RETENTION_MS = 7 * 86_400_000;

/** A finished request. It contains no text from the caller. */
export const LOGGED_REQUEST = z.object({
  /** The request's `X-Request-Id`, a UUIDv7 with the time of arrival. */
  id: z.string(),
  method: z.string(),
  /** The path template. */
  route: z.string(),
  status: z.number(),
  /** The error code; null on success. */
  error: z.custom<ErrorCode>((code) => typeof code === 'string').nullable(),
  durationMs: z.number(),
  /** The fields in its body that the contract knows; never values. */
  fields: z.array(z.string()),
  /** Invalid fields such as `body.startsAt`; `body.?` for a field that the contract does not have. */
  wrongFields: z.array(z.string()),
});
export type LoggedRequest = z.infer<typeof LOGGED_REQUEST>;

const REQUEST_OF_KEY = LOGGED_REQUEST.extend({ keyId: z.string() });

export type RequestToLog = LoggedRequest & { tenantId: string; keyId: string };

export async function insertRequests(em: EntityManager, requests: readonly RequestToLog[]): Promise<void> {
  await run(prepared(em))`
    INSERT INTO request_log (id, tenant_id, key_id, method, route, status, error, duration_ms, fields, wrong_fields)
    SELECT id, "tenantId", "keyId", method, route, status, error, "durationMs", fields, "wrongFields"
    FROM json_to_recordset(${JSON.stringify(requests)}::json) AS answered (
      id uuid, "tenantId" uuid, "keyId" uuid, method text, route text, status smallint, error text, "durationMs" integer,
      fields text[], "wrongFields" text[]
    )
  `;
}

export interface RequestLogQuery {
  tenantId: string;
  keyId: string;
  /** Only requests with one of these error codes. */
  errors?: readonly ErrorCode[] | undefined;
  /** Inclusive. */
  since?: Date | undefined;
  /** Exclusive. */
  until?: Date | undefined;
  /** The id of the last one already shown. */
  before?: string | undefined;
  limit: number;
}

/**
 * A key's requests within the week before `now`, latest first. Errors are searched code by code, because a key with few
 * errors would otherwise need a scan of the whole week.
 */
export async function listRequests(
  em: EntityManager,
  { tenantId, keyId, errors, since, until, before, limit }: RequestLogQuery,
  now: Date,
): Promise<LoggedRequest[]> {
  const earliest = Math.max(now.getTime() - RETENTION_MS, since?.getTime() ?? -Infinity);
  const conditions = [
    sql`tenant_id = ${tenantId}`,
    sql`key_id = ${keyId}`,
    sql`id >= ${firstIdAt(new Date(earliest))}`,
    ...(until ? [sql`id < ${firstIdAt(until)}`] : []),
    ...(before === undefined ? [] : [sql`id < ${before}`]),
  ];
  const newest = (more: readonly RawBuilder<unknown>[]) => sql`
    SELECT * FROM request_log
    WHERE ${sql.join([...conditions, ...more], sql` AND `)}
    ORDER BY id DESC
    LIMIT ${limit}
  `;
  const refused = sql`
    SELECT refused.*
    FROM unnest(${errors ?? []}::text[]) AS wanted (code)
    CROSS JOIN LATERAL (${newest([sql`error = wanted.code`])}) AS refused
    ORDER BY id DESC
    LIMIT ${limit}
  `;
  return rowsOf(em, LOGGED_REQUEST)`
    SELECT ${SHOWN} FROM (${errors ? refused : newest([])}) AS found
    ORDER BY id DESC
  `;
}

const SHOWN = listOf(LOGGED_REQUEST);

/** A request of any key of the clinic; null when it is not in the week before `now`. */
export function findRequest(
  em: EntityManager,
  { tenantId, id }: { tenantId: string; id: string },
  now: Date,
) {
  return firstRow(em, REQUEST_OF_KEY)`
    SELECT ${SHOWN}, key_id
    FROM request_log
    WHERE tenant_id = ${tenantId}
      AND id = ${id}
      AND id >= ${firstIdAt(now, -RETENTION_MS)}
  `;
}

/** Deletes some requests older than a week and returns how many. */
export function purgeRequestLog(em: EntityManager, now: Date, atMost: number): Promise<number> {
  return changedRows(em)`
    DELETE FROM request_log
    WHERE id = ANY (ARRAY(
      SELECT id
      FROM request_log
      WHERE id < ${firstIdAt(now, -RETENTION_MS)}
      ORDER BY id
      LIMIT ${atMost}
      FOR UPDATE SKIP LOCKED
    ))
  `;
}
