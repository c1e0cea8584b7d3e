import { sql } from 'kysely';
import { z } from 'zod';
import { lockAppointment, type LockedAppointment } from './find-appointment.ts';
import { rowsOf, tables, type EntityManager } from '../connection/statements.ts';
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

/**
 * Whether and when an appointment becomes a no-show; undefined when there is no such appointment.
 * @returns `dueInMs`: until the grace period ends, by the database's clock; negative afterwards
 */
export function findNoShowProspect(em: EntityManager, tenantId: string, appointmentId: string) {
  const dueIn = sql`${AWAITED_FROM} + ${graceOf(em)} - clock_timestamp()`;
  return tables(em)
    .selectFrom('appointment')
    .select(['status', sql<number>`(extract(epoch FROM ${dueIn}) * 1000)::float8`.as('dueInMs')])
    .where('tenantId', '=', tenantId)
    .where('id', '=', appointmentId)
    .executeTakeFirst();
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
