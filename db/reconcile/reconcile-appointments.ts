import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import type { MessageOf } from '../../domain/outbox-message.ts';
import type { RowPosition } from '../../domain/reconcile.ts';
import { noShowDueAt } from '../../domain/timings.ts';
import { AWAITED_FROM, graceOf } from '../appointments/no-shows.ts';
import { columnsOf } from '../connection/columns.ts';
import { rowsOf, type EntityManager } from '../connection/statements.ts';
import { timingsOf } from '../connection/timings-of.ts';
import { askAgain, isNotInOutbox } from '../outbox/insert-messages.ts';
import { ROW_POSITION, ROW_WITH_WORKFLOW, type PageWanted, type ReconcilableRows } from './reconcilable.ts';

/** Confirmed appointments whose timer fires within days; checked every hour. */
export const appointmentsToReconcile: ReconcilableRows = awaitedAppointments(
  (before) => sql`starts_at < ${before}::timestamptz + ${NEAR}`,
);

/** Confirmed appointments further ahead; checked once a day. */
export const farAppointmentsToReconcile: ReconcilableRows = awaitedAppointments(
  (before) => sql`starts_at >= ${before}::timestamptz + ${NEAR}`,
);

const NEAR = sql`interval '3 days'`;

function awaitedAppointments(isWanted: (before: Date) => RawBuilder<unknown>): ReconcilableRows {
  return {
    async page(em, { after, limit, before }) {
      return rowsOf(em, ROW_WITH_WORKFLOW)`
        SELECT
          id,
          'appointment:' || id AS workflow_id,
          json_build_array(starts_at::text, id::text) AS position
        FROM appointment
        WHERE status = 'confirmed'
          AND created_at < ${before}::timestamptz
          AND ${isWanted(before)}
          AND ${isNotInOutbox('ordering_key', sql`'appointment:' || appointment.id`)}
          AND ${isAfter(after)}
        ORDER BY starts_at, id
        LIMIT ${limit}
      `;
    },
    async restart(em, ids) {
      const rows = await rowsOf(em, AWAITED_APPOINTMENT)`
        SELECT id, tenant_id AS clinic_id, ${AWAITED_FROM} AS awaited_from
        FROM appointment
        WHERE id = ANY(${[...ids]}::uuid[])
          AND status = 'confirmed'
        ORDER BY id
        FOR NO KEY UPDATE SKIP LOCKED
      `;
      return askAgain(
        em,
        'ordering_key',
        rows.map((row) => startOf(em, row)),
      );
    },
  };
}

const AWAITED_APPOINTMENT = z.object({
  id: z.string(),
  clinicId: z.string(),
  awaitedFrom: z.date(),
});
type AwaitedAppointment = z.infer<typeof AWAITED_APPOINTMENT>;

function startOf(
  em: EntityManager,
  { id, clinicId, awaitedFrom }: AwaitedAppointment,
): MessageOf<'startNoShow'> {
  const dueAt = noShowDueAt(awaitedFrom, timingsOf(em)).toISOString();
  return { kind: 'startNoShow', appointmentId: id, clinicId, dueAt, isRestart: true };
}

const OVERDUE_APPOINTMENT = columnsOf('appointment', 'id', 'tenantId').extend({ position: ROW_POSITION });

/** Confirmed appointments whose grace period ended `before`. */
export function overdueAppointments(em: EntityManager, { after, limit, before }: PageWanted) {
  return rowsOf(em, OVERDUE_APPOINTMENT)`
    SELECT id, tenant_id, json_build_array(starts_at::text, id::text) AS position
    FROM appointment
    WHERE status = 'confirmed'
      AND starts_at < ${before}::timestamptz - ${graceOf(em)}
      AND ${AWAITED_FROM} < ${before}::timestamptz - ${graceOf(em)}
      AND created_at < ${before}::timestamptz
      AND ${isAfter(after)}
    ORDER BY starts_at, id
    LIMIT ${limit}
  `;
}

function isAfter(after: RowPosition | null) {
  if (!after) return sql`true`;
  return sql`(starts_at, id) > (${after[0]}::timestamptz, ${after[1]}::uuid)`;
}
