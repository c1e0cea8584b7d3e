import { sql } from 'kysely';
import { z } from 'zod';
import { lockAppointment, type LockedAppointment } from './find-appointment.ts';
import { columnsOf } from '../connection/columns.ts';
import { firstRow, rowsOf, type EntityManager } from '../connection/statements.ts';
import { timingsOf } from '../connection/timings-of.ts';
import { OVERDUE_AFTER_SECONDS, type Overdue } from '../../domain/diagnosis/overdue.ts';
import { A_WHILE_AGO, findOverdue } from '../diagnosis/find-overdue.ts';

/** The SQL version of `awaitedFrom` in the domain. (`greatest` ignores null.) */
export const AWAITED_FROM = sql`greatest(starts_at, reinstated_at)`;

/** The grace period after `AWAITED_FROM`, plus some seconds. */
export function graceOf(em: EntityManager, moreSeconds = 0) {
  return sql`make_interval(secs => ${timingsOf(em).noShowGraceSeconds + moreSeconds})`;
}

/**
 * Locks an appointment if it is still confirmed after its grace period, by the database's clock; otherwise returns
 * null.
 */
export function lockOverdueAppointment(
  em: EntityManager,
  tenantId: string,
  appointmentId: string,
): Promise<LockedAppointment | null> {
  const isOverdue = sql`
    held.status = 'confirmed'
    AND ${AWAITED_FROM} + ${graceOf(em)} <= clock_timestamp()
  `;
  return lockAppointment(em, tenantId, appointmentId, isOverdue);
}

const LATE_APPOINTMENT = z.object({ appointmentId: z.string(), tenantId: z.string() });
export type LateAppointment = z.infer<typeof LATE_APPOINTMENT>;

/**
 * Locks the first confirmed appointments of any clinic that should have been marked at least `lateSeconds` ago, by the
 * database's clock; skips locked ones.
 */
export function lockLateAppointments(
  em: EntityManager,
  { lateSeconds, limit }: { lateSeconds: number; limit: number },
) {
  return rowsOf(em, LATE_APPOINTMENT)`
    SELECT id AS appointment_id, tenant_id
    FROM appointment
    WHERE status = 'confirmed'
      AND starts_at < statement_timestamp() - ${graceOf(em, lateSeconds)}
      AND ${AWAITED_FROM} < statement_timestamp() - ${graceOf(em, lateSeconds)}
      AND created_at < statement_timestamp() - make_interval(secs => ${lateSeconds})
    ORDER BY starts_at, id
    LIMIT ${limit}
    FOR NO KEY UPDATE SKIP LOCKED
  `;
}

const NO_SHOW_PROSPECT = columnsOf('appointment', 'status').extend({
  /** Until the grace period ends, by the database's clock; negative afterwards. */
  dueInMs: z.number(),
});

/** Whether and when an appointment becomes a no-show; null when there is no such appointment. */
export function findNoShowProspect(em: EntityManager, tenantId: string, appointmentId: string) {
  return firstRow(em, NO_SHOW_PROSPECT)`
    SELECT status, (extract(epoch FROM ${AWAITED_FROM} + ${graceOf(em)} - clock_timestamp()) * 1000)::float8 AS due_in_ms
    FROM appointment
    WHERE tenant_id = ${tenantId}
      AND id = ${appointmentId}
  `;
}

/** Confirmed appointments that should have been marked as no-shows; null without any. */
export function findOverdueNoShows(em: EntityManager): Promise<Overdue | null> {
  return findOverdue(
    em,
    sql`
      SELECT id, ${AWAITED_FROM} + ${graceOf(em)} AS due_at, 'appointment:' || id AS workflow_id
      FROM appointment
      WHERE status = 'confirmed'
        AND starts_at < statement_timestamp() - ${graceOf(em, OVERDUE_AFTER_SECONDS)}
        AND ${AWAITED_FROM} < statement_timestamp() - ${graceOf(em, OVERDUE_AFTER_SECONDS)}
        AND created_at < ${A_WHILE_AGO}
    `,
  );
}
