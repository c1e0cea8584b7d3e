import { sql } from 'kysely';
import type { RowPosition } from '../../domain/reconcile.ts';
import { noShowDueAt } from '../../domain/timings.ts';
import { AWAITED_FROM } from '../appointments/awaited-from.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { askAgain, isNotInOutbox } from '../outbox/ask-again.ts';
import type { PageWanted, ReconcilableRows, RowWithWorkflow } from './reconcilable.ts';

/** Appointments that wait for a check-in. */
export const appointmentsToReconcile: ReconcilableRows = {
  async page(em, { after, limit, before }) {
    const { rows } = await sql<RowWithWorkflow>`
      SELECT
        id,
        'appointment:' || id AS "workflowId",
        json_build_array(starts_at::text, id::text) AS position
      FROM appointment
      WHERE status = 'confirmed'
        AND created_at < ${before}::timestamptz
        AND ${isNotInOutbox('ordering_key', sql`'appointment:' || appointment.id`)}
        AND ${isAfter(after)}
      ORDER BY starts_at, id
      LIMIT ${limit}
    `.execute(em.getKysely());
    return rows;
  },
  async restart(em, ids, timings) {
    const { rows } = await sql<{ id: string; clinicId: string; awaitedMs: number }>`
      SELECT id, tenant_id AS "clinicId", (extract(epoch FROM ${AWAITED_FROM}) * 1000)::float8 AS "awaitedMs"
      FROM appointment
      WHERE id = ANY(${[...ids]}::uuid[])
        AND status = 'confirmed'
      ORDER BY id
      FOR NO KEY UPDATE SKIP LOCKED
    `.execute(em.getKysely());
    const messages = rows.map(({ id, clinicId, awaitedMs }) => ({
      kind: 'startNoShow' as const,
      appointmentId: id,
      clinicId,
      dueAt: noShowDueAt(new Date(awaitedMs), timings).toISOString(),
      isRestart: true as const,
    }));
    return askAgain(em, 'ordering_key', messages);
  },
};

export interface OverdueAppointment {
  id: string;
  tenantId: string;
  position: RowPosition;
}

/** Appointments that nobody has checked in nor marked, though their grace was over `before`. */
export async function overdueAppointments(
  em: EntityManager,
  { after, limit, before, graceSeconds }: PageWanted & { graceSeconds: number },
): Promise<OverdueAppointment[]> {
  const { rows } = await sql<OverdueAppointment>`
    SELECT id, tenant_id AS "tenantId", json_build_array(starts_at::text, id::text) AS position
    FROM appointment
    WHERE status = 'confirmed'
      AND starts_at < ${before}::timestamptz - make_interval(secs => ${graceSeconds})
      AND ${AWAITED_FROM} < ${before}::timestamptz - make_interval(secs => ${graceSeconds})
      AND created_at < ${before}::timestamptz
      AND ${isAfter(after)}
    ORDER BY starts_at, id
    LIMIT ${limit}
  `.execute(em.getKysely());
  return rows;
}

function isAfter(after: RowPosition | null) {
  if (!after) return sql`true`;
  return sql`(starts_at, id) > (${after[0]}::timestamptz, ${after[1]}::uuid)`;
}
