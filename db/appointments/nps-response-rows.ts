import { sql } from 'kysely';
import { NpsResponseEntity, type NpsResponseRow } from '../entities/nps-response.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';

/** Inserts the appointment's one response; false when it has one already. */
export async function insertNpsResponse(em: EntityManager, row: NpsResponseRow): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO nps_response (appointment_id, tenant_id, score, comment, created_at)
    VALUES (${row.appointmentId}, ${row.tenantId}, ${row.score}, ${row.comment}, ${row.createdAt})
    ON CONFLICT (appointment_id) DO NOTHING
    RETURNING 1
  `.execute(em.getKysely());
  return rows.length > 0;
}

export async function findNpsResponse(
  em: EntityManager,
  tenantId: string,
  appointmentId: string,
): Promise<NpsResponseRow | null> {
  const { rows } = await sql<Record<string, unknown>>`
    SELECT * FROM nps_response WHERE tenant_id = ${tenantId} AND appointment_id = ${appointmentId}
  `.execute(em.getKysely());
  return rows[0] ? { ...em.map(NpsResponseEntity, rows[0]) } : null;
}
