import { sql } from 'kysely';
import type { AppointmentStatus } from '../../domain/appointments/appointment-status.ts';
import type { EntityManager } from '../connection/open-database.ts';

export interface FoundAppointment {
  id: string;
  tenantId: string;
  clinicName: string;
  status: AppointmentStatus;
  startsAt: Date;
}

/** The appointments that a PMS calls so, in whatever clinic, the latest first. */
export async function findByExternalId(
  em: EntityManager,
  externalId: string,
  limit: number,
): Promise<FoundAppointment[]> {
  const { rows } = await sql<FoundAppointment>`
    SELECT found.id, tenant.id AS "tenantId", tenant.name AS "clinicName", found.status, found.starts_at AS "startsAt"
    FROM tenant
    CROSS JOIN LATERAL (
      SELECT id, status, starts_at
      FROM appointment
      WHERE tenant_id = tenant.id AND external_id = ${externalId}
      ORDER BY starts_at DESC, id DESC
      LIMIT ${limit}
    ) found
    ORDER BY found.starts_at DESC, found.id DESC
    LIMIT ${limit}
  `.execute(em.getKysely());
  return rows.map((row) => ({ ...row, startsAt: new Date(row.startsAt) }));
}
