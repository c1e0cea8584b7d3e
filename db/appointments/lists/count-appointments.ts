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
export async function countAgenda(em: EntityManager, { tenantId, range, statuses }: WantedCount) {
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
