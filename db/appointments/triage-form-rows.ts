import { sql } from 'kysely';
import { TriageFormEntity, type TriageFormRow } from '../entities/triage-form.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';

/** Inserts the appointment's one form; false when it has one already. */
export async function insertTriageForm(em: EntityManager, row: TriageFormRow): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO triage_form (appointment_id, tenant_id, answers, created_at)
    VALUES (${row.appointmentId}, ${row.tenantId}, ${JSON.stringify(row.answers)}::jsonb, ${row.createdAt})
    ON CONFLICT (appointment_id) DO NOTHING
    RETURNING 1
  `.execute(em.getKysely());
  return rows.length > 0;
}

export async function findTriageForm(
  em: EntityManager,
  tenantId: string,
  appointmentId: string,
): Promise<TriageFormRow | null> {
  const { rows } = await sql<Record<string, unknown>>`
    SELECT * FROM triage_form WHERE tenant_id = ${tenantId} AND appointment_id = ${appointmentId}
  `.execute(em.getKysely());
  return rows[0] ? { ...em.map(TriageFormEntity, rows[0]) } : null;
}
