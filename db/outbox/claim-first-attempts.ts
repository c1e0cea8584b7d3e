import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { FENCE } from '../connection/fence.ts';
import { prepared, rowsOf, type EntityManager } from '../connection/statements.ts';
import { foundRow, THEIR_DELIVERIES, toClaimedDelivery, type ClaimedDelivery } from './claim-deliveries.ts';
import { CLAIMED_ROW_COLUMNS, claimRows } from './claim-rows.ts';
import { lockedDue } from './fair-order.ts';
import { endpointsOfNewRows, WAITING_ENDPOINTS, type OnlyNew } from './waiting-endpoints.ts';

/** How many rows may be claimed for each receiver; `unlisted` applies to receivers that are not listed. */
export interface FreeShares {
  ids: string[];
  free: number[];
  unlisted: number;
}

export interface RoomToClaim {
  endpoint: FreeShares;
  /** For endpoints that are not proven. */
  clinic: FreeShares;
  host: FreeShares;
  /** Proven endpoints and their limits. */
  proven: { endpointIds: string[]; clinic: FreeShares; host: FreeShares };
}

const NOTHING: FreeShares = { ids: [], free: [], unlisted: 0 };
export const NOBODY_PROVEN: RoomToClaim['proven'] = { endpointIds: [], clinic: NOTHING, host: NOTHING };

/** An endpoint, with the clinic and host whose limits it shares. */
const RECEIVER = z.object({ endpointId: z.string(), clinicId: z.string(), host: z.string() });
export type Receiver = z.infer<typeof RECEIVER>;

export interface ClaimFirstAttempts {
  /** The holder of the lease. */
  workerId: string;
  limit: number;
  /** By default no endpoint is proven. */
  free: Omit<RoomToClaim, 'proven'> & Partial<RoomToClaim>;
  /** By default all endpoints with rows. */
  onlyNew?: OnlyNew | null;
}

export interface FirstAttemptsClaim {
  rows: ClaimedDelivery[];
  /** The receivers of which rows were left in the outbox because of a limit; at most `MAX_LEFT`. */
  left: Receiver[];
}

export const MAX_LEFT = 64;

/**
 * Claims rows whose first attempt has not been made and reads the data for the attempts. Clinics take turns, and within
 * a clinic its endpoints, so that a single delivery does not wait behind ten thousand of another clinic.
 */
export async function claimFirstAttempts(
  em: EntityManager,
  { workerId, limit, free, onlyNew = null }: ClaimFirstAttempts,
): Promise<FirstAttemptsClaim> {
  const rows = await rowsOf(prepared(em), ANSWER)`
    WITH ${claimRows(workerId, dueWithinRoom(limit, free, onlyNew))},
    left_over AS (
      SELECT json_agg(json_build_object('endpointId', endpoint_id, 'clinicId', clinic_id, 'host', host)) AS receivers
      FROM (
        SELECT DISTINCT endpoint_id, clinic_id, host
        FROM turn
        WHERE id <> ALL(ARRAY(SELECT id FROM next))
        LIMIT ${MAX_LEFT}
      ) receiver
    )
    SELECT
      -- With one row, because it may be long.
      CASE WHEN row_number() OVER (ORDER BY claimed.id) = 1 THEN left_over.receivers END AS left,
      ${CLAIMED_ROW_COLUMNS}, found.*
    FROM left_over
    LEFT JOIN claimed ON true
    ${THEIR_DELIVERIES}
    ORDER BY claimed.id
  `;
  const left = rows[0]?.left ?? [];
  return { rows: rows.flatMap((row) => (row.outboxId === null ? [] : toClaimedDelivery(row))), left };
}

/** One row without an id when nothing was claimed. */
const LEFT = { left: z.array(RECEIVER).nullable() };
const ANSWER = z.union([foundRow(LEFT), z.object({ ...LEFT, outboxId: z.null() })]);

function dueWithinRoom(
  limit: number,
  free: ClaimFirstAttempts['free'],
  onlyNew: OnlyNew | null,
): RawBuilder<unknown> {
  return sql`
    RECURSIVE ${onlyNew ? endpointsOfNewRows(onlyNew) : WAITING_ENDPOINTS},
    ${sharesOfWaiting(limit, free)},
    turn AS (
      SELECT
        id, clinic_id, endpoint_id, host, turn, endpoint_free, clinic_free, host_free,
        row_number() OVER (PARTITION BY clinic_id ORDER BY turn, id) AS turn_of_clinic,
        count(*) FILTER (WHERE turn <= endpoint_free) OVER (PARTITION BY clinic_id, is_proven ORDER BY turn, id)
          AS place_of_clinic,
        count(*) FILTER (WHERE turn <= endpoint_free) OVER (PARTITION BY host, is_proven ORDER BY turn, id)
          AS place_at_host
      FROM share
      CROSS JOIN LATERAL (${oldestOfShare(onlyNew)}) oldest
    ),
    next AS (
      SELECT id
      FROM turn
      WHERE turn <= endpoint_free
        AND place_of_clinic <= clinic_free
        AND place_at_host <= host_free
      ORDER BY turn_of_clinic, id
      LIMIT ${limit}
    ),
    ${lockedDue(sql`NOT attempted`)}
  `;
}

/** The waiting endpoints that are not paused, with the number of rows that may be claimed. */
function sharesOfWaiting(
  limit: number,
  { endpoint, clinic, host, proven = NOBODY_PROVEN }: ClaimFirstAttempts['free'],
): RawBuilder<unknown> {
  return sql`
    share AS (
      SELECT
        waiting.*,
        endpoint.host,
        proven.id IS NOT NULL AS is_proven,
        least(
          coalesce(of_endpoint.free, ${endpoint.unlisted}::integer),
          -- When more endpoints wait than rows are wanted, one of each is enough.
          CASE WHEN (SELECT count(*) FROM waiting) >= ${limit}::integer THEN 1 END
        ) AS endpoint_free,
        CASE
          WHEN proven.id IS NULL THEN coalesce(of_clinic.free, ${clinic.unlisted}::integer)
          ELSE coalesce(proven_of_clinic.free, ${proven.clinic.unlisted}::integer)
        END AS clinic_free,
        CASE
          WHEN proven.id IS NULL THEN coalesce(of_host.free, ${host.unlisted}::integer)
          ELSE coalesce(proven_at_host.free, ${proven.host.unlisted}::integer)
        END AS host_free
      FROM waiting
      CROSS JOIN LATERAL (
        SELECT id, tenant_id, host
        FROM webhook_endpoint
        WHERE id = waiting.endpoint_id
          AND (paused_until IS NULL OR paused_until <= clock_timestamp())
        ${FENCE}
      ) endpoint
      LEFT JOIN ${listed(endpoint, 'uuid')} AS of_endpoint (id, free) ON of_endpoint.id = endpoint.id
      LEFT JOIN ${listed(clinic, 'uuid')} AS of_clinic (id, free) ON of_clinic.id = endpoint.tenant_id
      LEFT JOIN ${listed(host, 'text')} AS of_host (id, free) ON of_host.id = endpoint.host
      LEFT JOIN unnest(${proven.endpointIds}::uuid[]) AS proven (id) ON proven.id = endpoint.id
      LEFT JOIN ${listed(proven.clinic, 'uuid')} AS proven_of_clinic (id, free)
        ON proven_of_clinic.id = endpoint.tenant_id
      LEFT JOIN ${listed(proven.host, 'text')} AS proven_at_host (id, free) ON proven_at_host.id = endpoint.host
    )
  `;
}

/**
 * As many rows as may be claimed for the endpoint, plus one row that shows whether more are left.
 */
function oldestOfShare(onlyNew: OnlyNew | null) {
  const hasOthers = sql`share.endpoint_id = ANY(${[...(onlyNew?.alsoOf ?? [])]}::uuid[])`;
  const rows = onlyNew
    ? sql`id > CASE WHEN ${hasOthers} THEN 0 ELSE ${onlyNew.beyond}::bigint END`
    : sql`true`;
  return sql`
    SELECT id, row_number() OVER (ORDER BY id) AS turn
    FROM (
      SELECT id
      FROM outbox
      WHERE clinic_id = share.clinic_id
        AND endpoint_id = share.endpoint_id
        AND ${rows}
        AND NOT attempted
        AND available_at <= clock_timestamp()
      ORDER BY id
      LIMIT share.endpoint_free + 1
    ) row
  `;
}

function listed({ ids, free }: FreeShares, type: 'uuid' | 'text'): RawBuilder<unknown> {
  return sql`unnest(${ids}::${sql.raw(type)}[], ${free}::integer[])`;
}
