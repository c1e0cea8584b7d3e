import { sql } from 'kysely';
import type {
  AppointmentSource,
  AppointmentStatus,
} from '../../../domain/appointments/appointment-status.ts';
import type { TimeRange } from '../../../domain/appointments/slot.ts';
import { SEALED_FIELDS } from '../../../domain/encryption/sealed-fields.ts';
import type { Sealed } from '../../../domain/encryption/sealed-value.ts';
import type { EntityManager } from '../../connection/open-database.ts';
import { openRows } from '../../encryption/field-seal.ts';
import type { AppointmentPosition } from './list-appointments.ts';

/** As much of an appointment as a day's list shows, with the names of whom and what it is about. */
export interface AgendaEntry {
  id: string;
  startsAt: Date;
  endsAt: Date;
  patientName: string;
  status: AppointmentStatus;
  source: AppointmentSource;
  professionalId: string;
  professionalName: string;
  serviceName: string | null;
  version: number;
  hasNotes: boolean;
}

type StoredEntry = Omit<AgendaEntry, 'patientName'> & { tenantId: string; patientName: Sealed<string> };

export interface WantedAgenda {
  tenantId: string;
  /** Of `startsAt`. */
  range: TimeRange;
  /** In any status unless told. */
  statuses?: readonly AppointmentStatus[];
  /** Of anybody unless told. */
  professionalIds?: readonly string[];
  /** The last one already shown. */
  after?: AppointmentPosition | undefined;
  limit: number;
}

/** The clinic's appointments of a time by (`startsAt`, `id`). */
export async function listAgenda(em: EntityManager, wanted: WantedAgenda): Promise<AgendaEntry[]> {
  const { tenantId, range, statuses, professionalIds, after, limit } = wanted;
  const { rows } = await sql<StoredEntry>`
    SELECT
      page.id,
      ${tenantId}::uuid AS "tenantId",
      page.starts_at AS "startsAt",
      page.ends_at AS "endsAt",
      page.patient_name AS "patientName",
      page.status,
      page.source,
      page.version,
      page.has_notes AS "hasNotes",
      page.professional_id AS "professionalId",
      professional.name AS "professionalName",
      service.name AS "serviceName"
    FROM (
      SELECT
        id, starts_at, ends_at, patient_name, status, source, version, professional_id, service_type_id,
        patient_notes IS NOT NULL AS has_notes
      FROM appointment
      WHERE tenant_id = ${tenantId}
        AND starts_at >= ${range.from}
        AND starts_at < ${range.until}
        ${statuses ? sql`AND status = ANY(${[...statuses]}::text[])` : sql``}
        ${professionalIds ? sql`AND professional_id = ANY(${[...professionalIds]}::uuid[])` : sql``}
        ${after ? sql`AND (starts_at, id) > (${after.startsAt}, ${after.id}::uuid)` : sql``}
      ORDER BY starts_at, id
      LIMIT ${limit}
    ) AS page
    JOIN professional ON professional.id = page.professional_id
    LEFT JOIN service_type service ON service.id = page.service_type_id
    ORDER BY page.starts_at, page.id
  `.execute(em.getKysely());
  const opened = await openRows(em, SEALED_FIELDS.appointment, rows);
  return opened.map((row) => ({
    ...row,
    startsAt: new Date(row.startsAt),
    endsAt: new Date(row.endsAt),
  }));
}
