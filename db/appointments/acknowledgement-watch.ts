import { sql } from 'kysely';
import { z } from 'zod';
import { nextDueClinic } from './next-due-clinic.ts';
import { firstRow, onlyValue, rowsOf, run, type EntityManager } from '../connection/statements.ts';

/** No clinic is looked at more often, so a report can be this much late. */
const LEAST_WAIT_SECONDS = 30;
/** Another process takes over a clinic whose check was interrupted. */
const CHECK_LIMIT_SECONDS = 60;

/** Starts, changes or ends the watch of a clinic. A new one begins with what is written from now on. */
export function setWatch(em: EntityManager, tenantId: string, withinMinutes: number | null) {
  return run(em)`
    INSERT INTO acknowledgement_watch AS watch (tenant_id, within_minutes, reached_at, check_at)
    VALUES (
      ${tenantId}, ${withinMinutes}::integer, clock_timestamp(),
      CASE WHEN ${withinMinutes}::integer IS NOT NULL THEN clock_timestamp() END
    )
    ON CONFLICT (tenant_id) DO UPDATE
    SET within_minutes = excluded.within_minutes,
        reached_at = CASE WHEN watch.within_minutes IS NULL THEN excluded.reached_at ELSE watch.reached_at END,
        reached_id = CASE WHEN watch.within_minutes IS NULL THEN excluded.reached_id ELSE watch.reached_id END,
        check_at = excluded.check_at
  `;
}

export function isWatched(em: EntityManager, tenantId: string): Promise<boolean> {
  return onlyValue(em, z.boolean())`
    SELECT EXISTS (
      SELECT FROM acknowledgement_watch WHERE tenant_id = ${tenantId} AND within_minutes IS NOT NULL
    )
  `;
}

const WATCH = z.object({
  tenantId: z.string(),
  withinMinutes: z.number(),
  reachedAt: z.date(),
  reachedId: z.string(),
});
/** A clinic that waits for acknowledgements, and the last version that was checked. */
export type Watch = z.infer<typeof WATCH>;

/** The next clinic to check, which no other process checks meanwhile; null when none is due. */
export function claimWatch(em: EntityManager, now: Date): Promise<Watch | null> {
  return firstRow(em, WATCH)`
    UPDATE acknowledgement_watch watch
    SET check_at = ${now}::timestamptz + make_interval(secs => ${CHECK_LIMIT_SECONDS})
    FROM (
      ${nextDueClinic('acknowledgement_watch', now)}
    ) next
    WHERE watch.tenant_id = next.tenant_id
    RETURNING watch.tenant_id, watch.within_minutes, watch.reached_at, watch.reached_id
  `;
}

const CHECKED_VERSION = z.object({ id: z.string(), updatedAt: z.date(), isOverdue: z.boolean() });
export type CheckedVersion = z.infer<typeof CHECKED_VERSION>;

/**
 * The next latest versions whose time is up, and whether the other system should have acknowledged them: those that were
 * sent in an event, and were not written by an import or by a key that an endpoint passes over. It waits for the
 * replacement of a moved appointment.
 */
export function findVersionsDue(
  em: EntityManager,
  watch: Watch,
  { now, limit }: { now: Date; limit: number },
) {
  const { tenantId, withinMinutes, reachedAt, reachedId } = watch;
  return rowsOf(em, CHECKED_VERSION)`
    SELECT
      id,
      updated_at,
      status <> 'rescheduled'
        AND version IS DISTINCT FROM imported_version
        AND version IS DISTINCT FROM acknowledged_version
        AND EXISTS (
          SELECT
          FROM appointment_change written
          WHERE written.appointment_id = appointment.id
            AND written.at = appointment.updated_at
            AND written.event_id IS NOT NULL
            AND written.actor <> ALL (ARRAY(${ignoredActors(tenantId)}))
        ) AS is_overdue
    FROM appointment
    WHERE tenant_id = ${tenantId}
      AND (updated_at, id) > (${reachedAt}::timestamptz, ${reachedId}::uuid)
      AND updated_at <= ${now}::timestamptz - make_interval(mins => ${withinMinutes})
    ORDER BY updated_at, id
    LIMIT ${limit}
  `;
}

function ignoredActors(tenantId: string) {
  return sql`
    SELECT 'key:' || key
    FROM webhook_endpoint
    CROSS JOIN unnest(ignore_actors) key
    WHERE tenant_id = ${tenantId}
      AND deleted_at IS NULL
  `;
}

/**
 * Saves how far a check came and when the next one is due: when the time of the next version is up. Does nothing if the
 * watch was started again meanwhile.
 */
export function saveChecked(
  em: EntityManager,
  { tenantId, ...from }: Watch,
  {
    reached,
    hasMore,
    now,
  }: { reached: Pick<CheckedVersion, 'id' | 'updatedAt'>; hasMore: boolean; now: Date },
) {
  const { id, updatedAt } = reached;
  const soonest = hasMore ? 0 : LEAST_WAIT_SECONDS;
  return run(em)`
    UPDATE acknowledgement_watch
    SET reached_at = ${updatedAt}::timestamptz,
        reached_id = ${id}::uuid,
        check_at = greatest(
          ${now}::timestamptz + make_interval(secs => ${soonest}),
          make_interval(mins => within_minutes) + coalesce((
            SELECT min(updated_at)
            FROM appointment
            WHERE tenant_id = ${tenantId}
              AND (updated_at, id) > (${updatedAt}::timestamptz, ${id}::uuid)
          ), ${now}::timestamptz)
        )
    WHERE tenant_id = ${tenantId}
      AND within_minutes IS NOT NULL
      AND reached_at = ${from.reachedAt}::timestamptz
      AND reached_id = ${from.reachedId}::uuid
  `;
}

interface Report {
  tenantId: string;
  appointmentId: string;
  version: number;
  now: Date;
}

/**
 * Stores that a version is not written, with a notification that the clinic's next mail counts. False when that version
 * was reported before. Mails are an hour apart.
 */
export function recordUnacknowledged(
  em: EntityManager,
  { tenantId, appointmentId, version, now }: Report,
): Promise<boolean> {
  return onlyValue(em, z.boolean())`
    WITH marked AS (
      UPDATE appointment
      SET unacknowledged_version = ${version}
      WHERE tenant_id = ${tenantId}
        AND id = ${appointmentId}
    ), notified AS (
      INSERT INTO notification (id, tenant_id, kind, appointment_id, appointment_version, mail, created_at)
      VALUES (
        uuid_v7(), ${tenantId}, 'appointment_unacknowledged', ${appointmentId}, ${version}, 'queued', ${now}::timestamptz
      )
      ON CONFLICT (appointment_id, appointment_version) WHERE appointment_id IS NOT NULL DO NOTHING
      RETURNING id
    ), asked AS (
      UPDATE acknowledgement_watch
      SET mail_at = coalesce(mail_at, greatest(${now}::timestamptz, mailed_at + interval '1 hour'))
      WHERE tenant_id = ${tenantId}
        AND EXISTS (SELECT FROM notified)
    )
    SELECT EXISTS (SELECT FROM notified)
  `;
}
