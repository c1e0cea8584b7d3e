import { z } from 'zod';
import type { DueStarts } from '../../domain/appointments/reminder.ts';
import { nextDueClinic } from './next-due-clinic.ts';
import { changedRows, firstRow, rowsOf, run, type EntityManager } from '../connection/statements.ts';

/**
 * How often a clinic is looked at, so a reminder can be this much late; also when another process takes over a clinic
 * whose check was interrupted.
 */
const CHECK_EVERY_SECONDS = 60;
/** What was due so recently is looked at again, because its booking may not have been committed yet. */
const LOOK_BACK_SECONDS = 60;

/**
 * Sets when a clinic is to remind its patients; empty for never. All appointments ahead are looked at again, and none
 * is reminded of twice.
 */
export function setReminders(em: EntityManager, tenantId: string, hoursBefore: readonly number[]) {
  const hours = [...new Set(hoursBefore)];
  return run(em)`
    INSERT INTO reminder_scan (tenant_id, hours_before, reached_at, check_at)
    VALUES (
      ${tenantId}, ${hours}::smallint[], 'epoch', CASE WHEN ${hours.length}::integer > 0 THEN clock_timestamp() END
    )
    ON CONFLICT (tenant_id) DO UPDATE
    SET hours_before = excluded.hours_before,
        reached_at = excluded.reached_at,
        check_at = excluded.check_at
  `;
}

/** Looks at a clinic again soon, because its night has changed. */
export function checkRemindersNow(em: EntityManager, tenantId: string) {
  return run(em)`
    UPDATE reminder_scan SET check_at = clock_timestamp() WHERE tenant_id = ${tenantId} AND check_at IS NOT NULL
  `;
}

const SCAN = z.object({
  tenantId: z.string(),
  tenantTimezone: z.string().nullable(),
  hoursBefore: z.array(z.number()),
  reachedAt: z.date(),
  claimedUntil: z.date(),
});
/** A clinic that reminds its patients. Reminders that were due by `reachedAt` have been looked at. */
export type ReminderScan = z.infer<typeof SCAN>;

/** The next clinic to look at, which no other process looks at meanwhile; null when none is due. */
export function claimReminderScan(em: EntityManager, now: Date): Promise<ReminderScan | null> {
  return firstRow(em, SCAN)`
    UPDATE reminder_scan scan
    SET check_at = ${now}::timestamptz + make_interval(secs => ${CHECK_EVERY_SECONDS})
    FROM (
      ${nextDueClinic('reminder_scan', now)}
    ) next
    WHERE scan.tenant_id = next.tenant_id
    RETURNING scan.tenant_id, next.timezone AS tenant_timezone, scan.hours_before, scan.reached_at,
      scan.check_at AS claimed_until
  `;
}

const DUE_REMINDER = z.object({ id: z.string(), hoursBefore: z.number() });
export type FoundReminder = z.infer<typeof DUE_REMINDER>;

/**
 * The first appointments that are due for a reminder, which `dueReminder` in the domain decides again once they are
 * locked. They are found by the index of confirmed appointments by their start, in ranges of time.
 * @param skip leaves out this many of the first
 */
export function findDueReminders(
  em: EntityManager,
  tenantId: string,
  { starts, skip, limit }: { starts: readonly DueStarts[]; skip: number; limit: number },
) {
  return rowsOf(em, DUE_REMINDER)`
    SELECT found.id, due.hours_before
    FROM unnest(
      ${starts.map(({ hoursBefore }) => hoursBefore)}::integer[],
      ${starts.map(({ after }) => after)}::timestamptz[],
      ${starts.map(({ until }) => until)}::timestamptz[]
    ) AS due (hours_before, after, until)
    CROSS JOIN LATERAL (
      SELECT id, starts_at
      FROM appointment
      WHERE tenant_id = ${tenantId}
        AND status = 'confirmed'
        AND starts_at > due.after
        AND starts_at <= due.until
        AND created_at < starts_at - make_interval(hours => due.hours_before)
        AND patient_name IS NOT NULL
        AND (reminded_hours_before IS NULL OR reminded_hours_before > due.hours_before)
      ORDER BY starts_at, id
      LIMIT ${skip + limit}
    ) found
    ORDER BY found.starts_at, found.id
    LIMIT ${limit} OFFSET ${skip}
  `;
}

/** Marks a locked appointment as reminded of; false when this or a nearer reminder was sent before. */
export async function markReminded(
  em: EntityManager,
  { tenantId, id, hoursBefore }: FoundReminder & { tenantId: string },
): Promise<boolean> {
  const marked = await changedRows(em)`
    UPDATE appointment
    SET reminded_hours_before = ${hoursBefore}
    WHERE tenant_id = ${tenantId}
      AND id = ${id}
      AND (reminded_hours_before IS NULL OR reminded_hours_before > ${hoursBefore})
  `;
  return marked === 1;
}

/**
 * Saves how far a search came. Does nothing if the settings changed meanwhile or another process took over.
 * @param isDone whether everything due now was looked at
 * @param checkAt when to look next; null: as the claim has set it
 */
export function saveReminderScan(
  em: EntityManager,
  { tenantId, claimedUntil }: ReminderScan,
  { now, isDone, checkAt }: { now: Date; isDone: boolean; checkAt: Date | null },
) {
  return run(em)`
    UPDATE reminder_scan
    SET reached_at = CASE
          WHEN ${isDone} THEN greatest(reached_at, ${now}::timestamptz - make_interval(secs => ${LOOK_BACK_SECONDS}))
          ELSE reached_at
        END,
        check_at = coalesce(${checkAt}::timestamptz, check_at)
    WHERE tenant_id = ${tenantId}
      AND check_at = ${claimedUntil}::timestamptz
  `;
}
