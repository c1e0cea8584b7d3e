import { sql } from 'kysely';
import type { AppointmentStatus } from '../../../domain/appointments/appointment-status.ts';
import type { TimeRange } from '../../../domain/appointments/slot.ts';
import type { EntityManager } from '../../connection/open-database.ts';

interface WantedCount {
  tenantId: string;
  /** Of `startsAt`. */
  range: TimeRange;
  statuses: readonly AppointmentStatus[];
}

/** How many appointments each professional of the clinic has in a time, by professional id; those without any are left out. */
export async function countAgenda(
  em: EntityManager,
  { tenantId, range, statuses }: WantedCount,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ professionalId: string; count: number }>`
    SELECT professional_id AS "professionalId", count(*)::integer AS count
    FROM appointment
    WHERE tenant_id = ${tenantId}
      AND starts_at >= ${range.from}
      AND starts_at < ${range.until}
      AND status = ANY(${[...statuses]}::text[])
    GROUP BY professional_id
  `.execute(em.getKysely());
  return new Map(rows.map(({ professionalId, count }) => [professionalId, count]));
}
