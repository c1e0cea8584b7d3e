import { sql } from 'kysely';
import type { AppointmentStatus } from '../../../domain/appointments/appointment-status.ts';
import type { TimeRange } from '../../../domain/appointments/slot.ts';
import { anyOf, tables, type EntityManager } from '../../connection/statements.ts';

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
  const rows = await tables(em)
    .selectFrom('appointment')
    .select(['professionalId', sql<number>`count(*)::integer`.as('count')])
    .where('tenantId', '=', tenantId)
    .where('startsAt', '>=', range.from)
    .where('startsAt', '<', range.until)
    .where('status', '=', anyOf(statuses))
    .groupBy('professionalId')
    .execute();
  return new Map(rows.map(({ professionalId, count }) => [professionalId, count]));
}
