import { sql } from 'kysely';
import type { AppointmentStatus } from '../../../domain/appointments/appointment-status.ts';
import type { TimeRange } from '../../../domain/appointments/slot.ts';
import { tables, type EntityManager } from '../../connection/statements.ts';

/** How many appointments of a time stand how. */
export interface CountedDay extends Record<AppointmentStatus, number> {
  /** Of the confirmed ones those that have begun: nobody has checked the patient in. */
  late: number;
}

/** Counts the appointments that start within the range. */
export async function countDay(
  em: EntityManager,
  { tenantId, range, now }: { tenantId: string; range: TimeRange; now: Date },
): Promise<CountedDay> {
  const rows = await tables(em)
    .selectFrom('appointment')
    .select(['status', sql<number>`count(*)::integer`.as('count')])
    .select(sql<number>`(count(*) FILTER (WHERE starts_at <= ${now}))::integer`.as('begun'))
    .where('tenantId', '=', tenantId)
    .where('startsAt', '>=', range.from)
    .where('startsAt', '<', range.until)
    .groupBy('status')
    .execute();
  const day: CountedDay = { confirmed: 0, attended: 0, no_show: 0, cancelled: 0, rescheduled: 0, late: 0 };
  for (const { status, count, begun } of rows) {
    day[status] = count;
    if (status === 'confirmed') day.late = begun;
  }
  return day;
}
