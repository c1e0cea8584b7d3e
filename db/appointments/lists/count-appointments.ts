import { sql } from 'kysely';
import type { AppointmentStatus } from '../../../domain/appointments/appointment-status.ts';
import type { TimeRange } from '../../../domain/appointments/slot.ts';
import { anyOf, tables, type EntityManager } from '../../connection/statements.ts';

const COUNT = sql<number>`count(*)::integer`.as('count');

interface TimeOfClinic {
  tenantId: string;
  /** Of `startsAt`. */
  range: TimeRange;
}

/** How many appointments each professional of the clinic has in a time, by professional id; those without any are left out. */
export async function countAgenda(
  em: EntityManager,
  { statuses, ...time }: TimeOfClinic & { statuses: readonly AppointmentStatus[] },
) {
  const counted = beginningWithin(em, time).where('status', '=', anyOf(statuses));
  const rows = await counted.select(['professionalId', COUNT]).groupBy('professionalId').execute();
  return new Map(rows.map(({ professionalId, count }) => [professionalId, count]));
}

/** How many appointments of a time stand how. */
export interface CountedDay extends Record<AppointmentStatus, number> {
  /** Of the confirmed ones those that have begun: nobody has checked the patient in. */
  late: number;
}

/** Counts the appointments that start within the range. */
export async function countDay(em: EntityManager, { now, ...time }: TimeOfClinic & { now: Date }) {
  const begun = sql<number>`(count(*) FILTER (WHERE starts_at <= ${now}))::integer`.as('begun');
  const rows = await beginningWithin(em, time).select(['status', COUNT, begun]).groupBy('status').execute();
  const day: CountedDay = { confirmed: 0, attended: 0, no_show: 0, cancelled: 0, rescheduled: 0, late: 0 };
  for (const { status, count, begun } of rows) {
    day[status] = count;
    if (status === 'confirmed') day.late = begun;
  }
  return day;
}

function beginningWithin(em: EntityManager, { tenantId, range }: TimeOfClinic) {
  const ofClinic = tables(em).selectFrom('appointment').where('tenantId', '=', tenantId);
  return ofClinic.where('startsAt', '>=', range.from).where('startsAt', '<', range.until);
}
