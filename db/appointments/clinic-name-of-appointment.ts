import { sql } from 'kysely';
import type { EntityManager } from '../connection/open-database.ts';

/** The name of the clinic that has this appointment; null when the clinic has no such appointment. */
export async function clinicNameOfAppointment(
  em: EntityManager,
  tenantId: string,
  appointmentId: string,
): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    SELECT tenant.name
    FROM appointment
    JOIN tenant ON tenant.id = appointment.tenant_id
    WHERE appointment.tenant_id = ${tenantId}
      AND appointment.id = ${appointmentId}
  `.execute(em.getKysely());
  return rows[0]?.name ?? null;
}
