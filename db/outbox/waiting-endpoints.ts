import { sql, type RawBuilder } from 'kysely';
import { FENCE } from '../connection/fence.ts';

/** Rows after an outbox ID (a bigint as text), and all rows of some endpoints. */
export interface OnlyNew {
  beyond: string;
  alsoOf: readonly string[];
}

/**
 * Statement part `waiting`: the endpoints that have rows. It is a loose index scan, whose cost does not depend on the
 * number of rows. It goes backwards to the newest row of each endpoint, because index entries of deleted older rows
 * would slow it down.
 */
export const WAITING_ENDPOINTS = sql`
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
 * Statement part `waiting`: the endpoints with claimable rows after an ID, and some given endpoints. The fence keeps
 * the planner from using an index on endpoints instead of the id: see docs/decisions/0031.
 */
export function endpointsOfNewRows({ beyond, alsoOf }: OnlyNew): RawBuilder<unknown> {
  return sql`
    waiting AS (
      SELECT clinic_id, endpoint_id
      FROM (
        SELECT clinic_id, endpoint_id, attempted, available_at FROM outbox WHERE id > ${beyond}::bigint ${FENCE}
      ) newer
      WHERE endpoint_id IS NOT NULL
        AND NOT attempted
        AND available_at <= clock_timestamp()
      UNION
      SELECT tenant_id, id FROM webhook_endpoint WHERE id = ANY(${[...alsoOf]}::uuid[])
    )
  `;
}
