import { sql, type RawBuilder } from 'kysely';
import type { EntityManager } from '../connection/open-database.ts';
import { claimDeliveries, type ClaimedDelivery } from './claim-deliveries.ts';
import { LOCKED_DUE } from './turns-of-clinics.ts';

/** How many rows may be claimed of each receiver; those not listed have `unlisted`. */
export interface FreeShares {
  ids: string[];
  free: number[];
  unlisted: number;
}

export interface RoomToClaim {
  endpoint: FreeShares;
  /** Of the endpoints that have not proven themselves. */
  clinic: FreeShares;
  host: FreeShares;
  /** Those that have, and what they may take. */
  proven: { endpointIds: string[]; clinic: FreeShares; host: FreeShares };
}

const NOTHING: FreeShares = { ids: [], free: [], unlisted: 0 };
export const NOBODY_PROVEN: RoomToClaim['proven'] = { endpointIds: [], clinic: NOTHING, host: NOTHING };

/** Rows that are not looked at. Ids of outbox rows are bigints as text. */
export interface PassedRowIds {
  /** Of these endpoints those up to an id. */
  endpointIds: string[];
  upTo: string[];
  /** Of all other endpoints, but for `alsoOf`, those up to this id; null: none. */
  ofAllUpTo: string | null;
  alsoOf: string[];
}

export const NOTHING_PASSED: PassedRowIds = { endpointIds: [], upTo: [], ofAllUpTo: null, alsoOf: [] };

export interface ClaimFirstAttempts {
  /** Who holds the lease. */
  workerId: string;
  limit: number;
  /** Nobody is proven by default. */
  free: Omit<RoomToClaim, 'proven'> & Partial<RoomToClaim>;
  /** Nothing by default. */
  passed?: PassedRowIds;
}

/**
 * Claims rows whose first attempt has not been made and reads what the attempts need. Clinics take turns, and within a
 * clinic its endpoints, so that a single delivery is not kept waiting by somebody else's ten thousand.
 */
export async function claimFirstAttempts(
  em: EntityManager,
  { workerId, limit, free, passed = NOTHING_PASSED }: ClaimFirstAttempts,
): Promise<ClaimedDelivery[]> {
  return claimDeliveries(
    em,
    workerId,
    sql`
      RECURSIVE ${passed.ofAllUpTo === null ? WAITING_ENDPOINTS : endpointsOfNewRows(passed.ofAllUpTo, passed.alsoOf)},
      ${sharesOfWaiting(free, passed)},
      turn AS (
        SELECT
          id, turn, clinic_free, host_free,
          row_number() OVER (PARTITION BY clinic_id ORDER BY turn, id) AS turn_of_clinic,
          row_number() OVER (PARTITION BY clinic_id, is_proven ORDER BY turn, id) AS place_of_clinic,
          row_number() OVER (PARTITION BY host, is_proven ORDER BY turn, id) AS place_at_host
        FROM share
        CROSS JOIN LATERAL (${oldestOfShare(limit)}) oldest
      ),
      next AS (
        SELECT id
        FROM turn
        WHERE place_of_clinic <= clinic_free
          AND place_at_host <= host_free
        ORDER BY turn_of_clinic, id
        LIMIT ${limit}
      ),
      ${LOCKED_DUE}
    `,
  );
}

/** The waiting endpoints with what may be claimed of them. */
function sharesOfWaiting(
  { endpoint, clinic, host, proven = NOBODY_PROVEN }: ClaimFirstAttempts['free'],
  passed: PassedRowIds,
): RawBuilder<unknown> {
  return sql`
    share AS (
      SELECT
        waiting.*,
        endpoint.host,
        proven.id IS NOT NULL AS is_proven,
        coalesce(of_endpoint.free, ${endpoint.unlisted}::integer) AS endpoint_free,
        CASE
          WHEN proven.id IS NULL THEN coalesce(of_clinic.free, ${clinic.unlisted}::integer)
          ELSE coalesce(proven_of_clinic.free, ${proven.clinic.unlisted}::integer)
        END AS clinic_free,
        CASE
          WHEN proven.id IS NULL THEN coalesce(of_host.free, ${host.unlisted}::integer)
          ELSE coalesce(proven_at_host.free, ${proven.host.unlisted}::integer)
        END AS host_free,
        coalesce(passed.up_to, 0) AS passed_up_to
      FROM waiting
      -- Fenced off by OFFSET, so that each is looked up by its key: see docs/decisions/0031.
      CROSS JOIN LATERAL (
        SELECT id, tenant_id, host FROM webhook_endpoint WHERE id = waiting.endpoint_id OFFSET 0
      ) endpoint
      LEFT JOIN ${listed(endpoint, 'uuid')} AS of_endpoint (id, free) ON of_endpoint.id = endpoint.id
      LEFT JOIN ${listed(clinic, 'uuid')} AS of_clinic (id, free) ON of_clinic.id = endpoint.tenant_id
      LEFT JOIN ${listed(host, 'text')} AS of_host (id, free) ON of_host.id = endpoint.host
      LEFT JOIN unnest(${proven.endpointIds}::uuid[]) AS proven (id) ON proven.id = endpoint.id
      LEFT JOIN ${listed(proven.clinic, 'uuid')} AS proven_of_clinic (id, free)
        ON proven_of_clinic.id = endpoint.tenant_id
      LEFT JOIN ${listed(proven.host, 'text')} AS proven_at_host (id, free) ON proven_at_host.id = endpoint.host
      LEFT JOIN unnest(${passed.endpointIds}::uuid[], ${passed.upTo}::bigint[]) AS passed (id, up_to)
        ON passed.id = endpoint.id
    )
  `;
}

/**
 * The endpoints that have rows, by hops along the index: as fast with a million rows as with one each. It hops backwards,
 * to the newest row of each, because the older ones may all be deleted and still in the way.
 */
const WAITING_ENDPOINTS = sql`
  waiting AS (
    (
      SELECT clinic_id, endpoint_id
      FROM outbox
      WHERE endpoint_id IS NOT NULL AND NOT attempted
      ORDER BY clinic_id DESC, endpoint_id DESC
      LIMIT 1
    )
    UNION ALL
    SELECT following.clinic_id, following.endpoint_id
    FROM waiting
    CROSS JOIN LATERAL (
      SELECT clinic_id, endpoint_id
      FROM outbox
      WHERE endpoint_id IS NOT NULL
        AND NOT attempted
        AND (clinic_id, endpoint_id) < (waiting.clinic_id, waiting.endpoint_id)
      ORDER BY clinic_id DESC, endpoint_id DESC
      LIMIT 1
    ) following
  )
`;

/**
 * Those that have rows to claim beyond an id, and some others. Fenced off by OFFSET, so that the rows are looked up by their
 * id and by no index of endpoints: see docs/decisions/0031.
 */
function endpointsOfNewRows(beyond: string, others: string[]): RawBuilder<unknown> {
  return sql`
    waiting AS (
      SELECT clinic_id, endpoint_id
      FROM (
        SELECT clinic_id, endpoint_id, attempted, available_at FROM outbox WHERE id > ${beyond}::bigint OFFSET 0
      ) newer
      WHERE endpoint_id IS NOT NULL
        AND NOT attempted
        AND available_at <= clock_timestamp()
      UNION
      SELECT tenant_id, id FROM webhook_endpoint WHERE id = ANY(${others}::uuid[])
    )
  `;
}

/** When more endpoints wait than rows are wanted, one row of each is enough. */
function oldestOfShare(limit: number) {
  return sql`
    SELECT id, row_number() OVER (ORDER BY id) AS turn
    FROM (
      SELECT id
      FROM outbox
      WHERE clinic_id = share.clinic_id
        AND endpoint_id = share.endpoint_id
        AND id > share.passed_up_to
        AND NOT attempted
        AND available_at <= clock_timestamp()
      ORDER BY id
      LIMIT CASE
        WHEN (SELECT count(*) FROM waiting) >= ${limit}::integer THEN least(share.endpoint_free, 1)
        ELSE share.endpoint_free
      END
    ) row
  `;
}

function listed({ ids, free }: FreeShares, type: 'uuid' | 'text'): RawBuilder<unknown> {
  return sql`unnest(${ids}::${sql.raw(type)}[], ${free}::integer[])`;
}
