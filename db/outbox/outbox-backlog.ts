import type { OutboxMessage } from '../../domain/outbox-message.ts';
import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { onlyRow, rowsOf, type EntityManager } from '../connection/statements.ts';
import { PAUSED_ENDPOINTS } from '../webhooks/endpoints/paused-endpoints.ts';
import { CLINIC_OF_MESSAGE } from './fair-order.ts';
import { LIVING_LEASES } from './lease-rows.ts';

const OUTBOX_BACKLOG = z.object({
  pending: z.number(),
  /** Rows that have failed at least once. */
  failing: z.number(),
  /** Of the rows kept waiting, not of timers and of what waits for its endpoint's earlier attempts or pause. 0 without any. */
  oldestAgeSeconds: z.number(),
  /** The error of the oldest row that has failed. */
  lastError: z.string().nullable(),
  /** No-show timers that wait to be started. */
  timers: z.number(),
  /** 0 without any. */
  oldestTimerAgeSeconds: z.number(),
});
export type OutboxBacklog = z.infer<typeof OUTBOX_BACKLOG>;

/** On a row: it does not wait for the end of its endpoint's pause. */
const IS_NOT_PAUSED = sql`(endpoint_id IS NULL OR attempted OR endpoint_id NOT IN ${PAUSED_ENDPOINTS})`;

/** For metrics and `doctor`. */
export function findOutboxBacklog(em: EntityManager) {
  return onlyRow(em, OUTBOX_BACKLOG)`
    SELECT
      count(*)::integer AS pending,
      (count(*) FILTER (WHERE failures > 0))::integer AS failing,
      (
        SELECT coalesce(extract(epoch FROM clock_timestamp() - min(oldest.created_at)), 0)
        FROM (
          SELECT min(created_at) AS created_at
          FROM outbox
          WHERE due_at IS NULL
            AND ${IS_NOT_PAUSED}
          GROUP BY clinic_id, endpoint_id, attempted
          HAVING endpoint_id IS NULL OR attempted OR bool_or(failures > 0) OR NOT bool_or(claimed_by IS NOT NULL AND claimed_by IN ${LIVING_LEASES})
        ) oldest
      )::float8 AS oldest_age_seconds,
      (array_agg(last_error ORDER BY id) FILTER (WHERE failures > 0))[1] AS last_error,
      (count(*) FILTER (WHERE due_at IS NOT NULL))::integer AS timers,
      coalesce(
        extract(epoch FROM clock_timestamp() - min(created_at) FILTER (WHERE due_at IS NOT NULL)),
        0
      )::float8 AS oldest_timer_age_seconds
    FROM outbox
  `;
}

/** Any kind of message, because a newer version may have other kinds. */
const MESSAGE_KIND = z.custom<OutboxMessage['kind']>((kind) => typeof kind === 'string');

const OUTBOX_OF_KIND = z.object({
  kind: MESSAGE_KIND,
  pending: z.number(),
  /** Rows that have failed at least once. */
  failing: z.number(),
  /** Like `findOutboxBacklog`, and including timers. */
  oldestAgeSeconds: z.number(),
});

/** The most rows counted for each kind. */
const MAX_COUNTED = 50_000;

/** The outbox by message kind. Each kind is counted with its own index. */
export function findOutboxByKind(em: EntityManager) {
  return rowsOf(em, OUTBOX_OF_KIND)`
    WITH waiting AS (
      ${some('endpoint_id IS NOT NULL AND NOT attempted', 'clinic_id, endpoint_id, id')}
      UNION ALL
      ${some('attempted', 'id')}
      UNION ALL
      ${some('endpoint_id IS NULL AND due_at IS NULL AND NOT attempted', 'id')}
      UNION ALL
      ${some('due_at IS NOT NULL', CLINIC_OF_MESSAGE)}
    ),
    receiver AS (
      SELECT
        kind,
        count(*) AS pending,
        count(*) FILTER (WHERE failures > 0) AS failing,
        min(since) AS since,
        bool_and(${IS_NOT_PAUSED})
          AND (endpoint_id IS NULL OR attempted OR bool_or(failures > 0) OR NOT bool_or(claimed_by IS NOT NULL AND claimed_by IN ${LIVING_LEASES}))
          AS is_kept_waiting
      FROM waiting
      GROUP BY kind, clinic_id, endpoint_id, attempted
    )
    SELECT
      kind,
      sum(pending)::integer AS pending,
      sum(failing)::integer AS failing,
      coalesce(
        greatest(0, extract(epoch FROM clock_timestamp() - min(since) FILTER (WHERE is_kept_waiting))),
        0
      )::float8 AS oldest_age_seconds
    FROM receiver
    GROUP BY kind
  `;
}

/** The first rows of a kind, in the order of its index. */
function some(condition: string, order: string): RawBuilder<unknown> {
  return sql`(
    SELECT
      message ->> 'kind' AS kind,
      clinic_id, endpoint_id, attempted, claimed_by, failures,
      created_at AS since
    FROM outbox
    WHERE ${sql.raw(condition)}
    ORDER BY ${sql.raw(order)}
    LIMIT ${MAX_COUNTED}
  )`;
}
