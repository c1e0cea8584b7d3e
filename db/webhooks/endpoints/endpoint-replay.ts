import { sql } from 'kysely';
import { z } from 'zod';
import type { DeliveryStatus } from '../../../domain/webhooks/delivery-status.ts';
import { lowestIdSince } from '../created-within.ts';
import { START_DELIVERY } from '../../outbox/insert-messages.ts';
import {
  countUpTo,
  firstRow,
  onlyValue,
  run,
  tables,
  type EntityManager,
} from '../../connection/statements.ts';
import type { EndpointIds } from './endpoint-deactivation.ts';

/** What a replay resends, by the status of each event's newest delivery. `missing`: skipped and failed. */
const REPLAYED_DELIVERIES = ['skipped', 'failed', 'missing', 'all'] as const;
export type ReplayedDeliveries = (typeof REPLAYED_DELIVERIES)[number];

/** The events of an endpoint that a replay resends. */
export interface ReplayScope {
  tenantId: string;
  endpointId: string;
  since: Date;
  /** Exclusive. */
  until: Date;
  include: ReplayedDeliveries;
  /** Only events whose deliveries ended by then. */
  endedBy?: Date;
}

const STATUSES: Record<ReplayedDeliveries, DeliveryStatus[]> = {
  skipped: ['skipped'],
  failed: ['failed'],
  missing: ['skipped', 'failed'],
  all: ['skipped', 'failed', 'succeeded'],
};

/**
 * Events with their newest delivery, if its status matches and the body is stored. An event that arrived with another
 * delivery does not count as missed. The other deliveries are checked for each event separately, because for an
 * anti-join PostgreSQL would scan the whole table.
 */
export function missedEvents(scope: ReplayScope, after: { at: Date; eventId: string } | null = null) {
  const { tenantId, endpointId, since, until, include, endedBy } = scope;
  return sql`
    SELECT
      event.id AS event_id, event.created_at, newest.id AS delivery_id, newest.tenant_id, newest.endpoint_id,
      newest.event_type, newest.appointment_id, newest.resend_number
    FROM webhook_event event
    JOIN webhook_delivery newest
      ON newest.tenant_id = event.tenant_id AND newest.event_id = event.id AND newest.endpoint_id = ${endpointId}
    WHERE event.tenant_id = ${tenantId}
      AND event.type <> 'webhook.test'
      AND event.body IS NOT NULL
      AND event.created_at >= greatest(${since}::timestamptz, ${after?.at ?? null}::timestamptz)
      AND event.created_at < ${until}::timestamptz
      AND (
        ${after?.eventId ?? null}::text IS NULL
        OR (event.created_at, event.id) > (${after?.at ?? null}::timestamptz, ${after?.eventId ?? null}::text)
      )
      AND newest.id >= ${lowestIdSince(since)}
      AND newest.status = ANY(${STATUSES[include]}::text[])
      AND newest.updated_at <= coalesce(${endedBy ?? null}::timestamptz, 'infinity')
      AND (
        SELECT bool_and(
          other.resend_number <= newest.resend_number AND (${include === 'all'} OR other.status <> 'succeeded')
        )
        FROM webhook_delivery other
        WHERE other.event_id = newest.event_id
          AND other.endpoint_id = newest.endpoint_id
      )
  `;
}

/**
 * A new replay. It resends only events whose deliveries had ended by `endedBy`, so that the reported number is right.
 */
export type NewReplay = ReplayScope & { id: string; endedBy: Date };

export interface Replay extends ReplayScope {
  id: string;
  /** The last event handled; null before the first page. */
  reached: { at: Date; eventId: string } | null;
  /** The number of deliveries created. */
  deliveries: number;
}

export function insertReplay(em: EntityManager, replay: NewReplay) {
  return run(em)`
    INSERT INTO webhook_replay (id, tenant_id, endpoint_id, since, until, include, created_at)
    VALUES (
      ${replay.id}, ${replay.tenantId}, ${replay.endpointId},
      ${replay.since}::timestamptz, ${replay.until}::timestamptz, ${replay.include}, ${replay.endedBy}::timestamptz
    )
  `;
}

/**
 * The number of deliveries that the replay would create now. @param atMost where to stop counting; by default, all are
 * counted
 */
export function countReplayed(em: EntityManager, scope: ReplayScope, atMost: number | null = null) {
  return onlyValue(em, z.number())`
    SELECT count(*)::integer AS count FROM (${missedEvents(scope)} LIMIT ${atMost}) missed
  `;
}

const REPLAY_ROW = z.object({
  id: z.string(),
  tenantId: z.string(),
  endpointId: z.string(),
  since: z.date(),
  until: z.date(),
  include: z.enum(REPLAYED_DELIVERIES),
  endedBy: z.date(),
  deliveries: z.number(),
  reachedAt: z.date().nullable(),
  reachedEventId: z.string().nullable(),
});

/** Locks an unfinished replay until the transaction ends; null when there is none. */
export async function lockReplay(em: EntityManager, tenantId: string, id: string): Promise<Replay | null> {
  const row = await firstRow(em, REPLAY_ROW)`
    SELECT
      id, tenant_id, endpoint_id, since, until, include, created_at AS ended_by, deliveries, reached_at, reached_event_id
    FROM webhook_replay
    WHERE tenant_id = ${tenantId}
      AND id = ${id}
      AND finished_at IS NULL
    FOR NO KEY UPDATE
  `;
  return row && toReplay(row);
}

/** The number of an endpoint's deliveries that wait for their first attempt, counted up to `limit`. */
export function countUnattempted(em: EntityManager, { tenantId, endpointId }: EndpointIds, limit: number) {
  const pending = tables(em).selectFrom('webhook_delivery').where('status', '=', 'pending');
  return countUpTo(em, pending.where('tenantId', '=', tenantId).where('endpointId', '=', endpointId), limit);
}

/**
 * Creates the deliveries of a replay's next events in order, requests their attempts unless the endpoint has no URL, and
 * saves the progress. The
 * events are locked, so that no body is deleted meanwhile. Returns how many were created; fewer than `limit` means that
 * none are left.
 */
export function insertReplayPage(
  em: EntityManager,
  replay: Replay,
  { url, limit, now }: { url: string | null; limit: number; now: Date },
) {
  const isPushed = url !== null;
  return onlyValue(em, z.number())`
    WITH page AS (
      ${missedEvents(replay, replay.reached)}
      ORDER BY event.created_at, event.id
      LIMIT ${limit}
      FOR KEY SHARE OF event
    ), delivery AS (
      INSERT INTO webhook_delivery
        (id, tenant_id, event_id, endpoint_id, url, event_type, appointment_id, resend_number, resend_of, workflow_id,
         status, next_attempt_at)
      SELECT
        uuid_v7(), tenant_id, event_id, endpoint_id, ${url}::text, event_type, appointment_id, resend_number + 1, delivery_id,
        CASE WHEN ${isPushed} THEN 'delivery:' || event_id || ':' || endpoint_id || ':' || (resend_number + 1) END,
        'pending', CASE WHEN ${isPushed} THEN ${now}::timestamptz END
      FROM page
      ORDER BY created_at, event_id
      RETURNING *
    ), asked AS (
      INSERT INTO outbox (ordering_key, message)
      SELECT 'replay:' || ${replay.id}, ${START_DELIVERY} || jsonb_build_object('replayId', ${replay.id}::text)
      FROM delivery
      JOIN page ON page.event_id = delivery.event_id
      WHERE ${isPushed}
      ORDER BY page.created_at, page.event_id
    ), last AS (
      SELECT created_at, event_id FROM page ORDER BY created_at DESC, event_id DESC LIMIT 1
    ), progress AS (
      UPDATE webhook_replay
      SET reached_at = last.created_at,
          reached_event_id = last.event_id,
          deliveries = deliveries + (SELECT count(*) FROM page)
      FROM last
      WHERE tenant_id = ${replay.tenantId}
        AND id = ${replay.id}
    )
    SELECT count(*)::integer AS made FROM page
  `;
}

export function finishReplay(em: EntityManager, { tenantId, id }: { tenantId: string; id: string }) {
  return run(em)`
    UPDATE webhook_replay SET finished_at = clock_timestamp() WHERE tenant_id = ${tenantId} AND id = ${id}
  `;
}

/** The number of deliveries that a replay has created, finished or not. */
export function countMade(em: EntityManager, tenantId: string, id: string) {
  return onlyValue(em, z.number())`
    SELECT coalesce((SELECT deliveries FROM webhook_replay WHERE tenant_id = ${tenantId} AND id = ${id}), 0)
  `;
}

function toReplay({ reachedAt: at, reachedEventId: eventId, ...row }: z.infer<typeof REPLAY_ROW>): Replay {
  return { ...row, reached: at !== null && eventId !== null ? { at, eventId } : null };
}
