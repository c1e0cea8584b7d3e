import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import type { AppointmentStatus } from '../../../domain/appointments/appointment-status.ts';
import { earliestStart, type TimeRange } from '../../../domain/appointments/slot.ts';
import type { Opened } from '../../../domain/encryption/sealed-value.ts';
import { columnsOf } from '../../connection/columns.ts';
import { rowsOf, type EntityManager } from '../../connection/statements.ts';
import { openRows } from '../../encryption/field-seal.ts';
import { STORED_APPOINTMENT } from '../appointment-reader.ts';
import type { AppointmentPosition } from './list-appointments.ts';

const STORED_ENTRY = STORED_APPOINTMENT.pick({
  id: true,
  tenantId: true,
  startsAt: true,
  endsAt: true,
  checkedInAt: true,
  patientConfirmedAt: true,
  patientName: true,
  status: true,
  source: true,
  professionalId: true,
  version: true,
}).extend({ professionalName: z.string(), serviceName: z.string().nullable(), hasNotes: z.boolean() });

/** The columns of an appointment that a day's list shows, with names. */
export type AgendaEntry = Opened<z.infer<typeof STORED_ENTRY>>;

export interface AgendaQuery extends TimeOfClinic {
  /** By default, any status. */
  statuses?: readonly AppointmentStatus[];
  /** By default, all professionals. */
  professionalIds?: readonly string[];
  /** Only confirmed appointments whose patient has said to come, or has not. */
  isConfirmedByPatient?: boolean | undefined;
  /** The last appointment already shown. */
  after?: AppointmentPosition | undefined;
  limit: number;
}

/**
 * The clinic's appointments that touch a time, without those whose last status was undone: the appointment that
 * replaced them has their time. By (`startsAt`, `id`): one over midnight is of both days.
 */
export async function listAgenda(em: EntityManager, wanted: AgendaQuery): Promise<AgendaEntry[]> {
  const { statuses, professionalIds, isConfirmedByPatient, after, limit } = wanted;
  const rows = await rowsOf(em, STORED_ENTRY)`
    SELECT page.*, professional.name AS professional_name, service.name AS service_name
    FROM (
      SELECT
        id, tenant_id, starts_at, ends_at, checked_in_at, patient_confirmed_at, patient_name, status, source, version, professional_id, service_type_id,
        patient_notes IS NOT NULL AS has_notes
      FROM appointment
      WHERE ${touching(wanted)}
        AND NOT (status = 'rescheduled' AND EXISTS (
          SELECT FROM appointment replacement
          WHERE replacement.id = appointment.rescheduled_to_id AND replacement.reinstated_at IS NOT NULL
        ))
        ${statuses ? sql`AND status = ANY(${[...statuses]}::text[])` : sql``}
        ${professionalIds ? sql`AND professional_id = ANY(${[...professionalIds]}::uuid[])` : sql``}
        ${confirmedByPatient(isConfirmedByPatient)}
        ${after ? sql`AND (starts_at, id) > (${after.startsAt}, ${after.id}::uuid)` : sql``}
      ORDER BY starts_at, id
      LIMIT ${limit}
    ) AS page
    JOIN professional ON professional.id = page.professional_id
    LEFT JOIN service_type service ON service.id = page.service_type_id
    ORDER BY page.starts_at, page.id
  `;
  return openRows(em, 'appointment', rows);
}

function confirmedByPatient(isConfirmed: boolean | undefined): RawBuilder<unknown> {
  return isConfirmed === undefined
    ? sql``
    : sql`AND status = 'confirmed' AND (patient_confirmed_at IS NOT NULL) = ${isConfirmed}`;
}

interface TimeOfClinic {
  tenantId: string;
  range: TimeRange;
}

const OF_PROFESSIONAL = columnsOf('appointment', 'professionalId').extend({ count: z.number() });

/**
 * The number of appointments of each professional in a period, by professional ID. Professionals without appointments
 * are left out.
 */
export async function countAgenda(
  em: EntityManager,
  { statuses, ...time }: TimeOfClinic & { statuses: readonly AppointmentStatus[] },
) {
  const rows = await rowsOf(em, OF_PROFESSIONAL)`
    SELECT professional_id, count(*)::integer
    FROM appointment
    WHERE ${touching(time)}
      AND status = ANY(${[...statuses]}::text[])
    GROUP BY professional_id
  `;
  return new Map(rows.map(({ professionalId, count }) => [professionalId, count]));
}

/** The number of appointments in a period by status. */
export interface CountedDay extends Record<AppointmentStatus, number> {
  /** Confirmed appointments that have started without a check-in. */
  late: number;
}

const OF_STATUS = columnsOf('appointment', 'status').extend({ count: z.number(), begun: z.number() });

/** Counts the appointments that overlap the range. */
export async function countDay(em: EntityManager, { now, ...time }: TimeOfClinic & { now: Date }) {
  const rows = await rowsOf(em, OF_STATUS)`
    SELECT status, count(*)::integer, (count(*) FILTER (WHERE starts_at <= ${now}))::integer AS begun
    FROM appointment
    WHERE ${touching(time)}
    GROUP BY status
  `;
  const day: CountedDay = { confirmed: 0, attended: 0, no_show: 0, cancelled: 0, rescheduled: 0, late: 0 };
  for (const { status, count, begun } of rows) {
    day[status] = count;
    if (status === 'confirmed') day.late = begun;
  }
  return day;
}

function touching({ tenantId, range }: TimeOfClinic): RawBuilder<unknown> {
  return sql`
    tenant_id = ${tenantId}
    AND starts_at > ${earliestStart(range.from)}
    AND starts_at < ${range.until}
    AND ends_at > ${range.from}
  `;
}
