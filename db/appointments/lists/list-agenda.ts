import { sql } from 'kysely';
import type { AppointmentStatus } from '../../../domain/appointments/appointment-status.ts';
import type { TimeRange } from '../../../domain/appointments/slot.ts';
import { rowsOf, tables, type EntityManager, type RowOf } from '../../connection/statements.ts';
import type { Opened } from '../../../domain/encryption/sealed-value.ts';
import { openRows } from '../../encryption/field-seal.ts';
import type { AppointmentPosition } from './list-appointments.ts';

type ShownOfAppointment =
  | 'id'
  | 'tenantId'
  | 'startsAt'
  | 'endsAt'
  | 'patientName'
  | 'status'
  | 'source'
  | 'professionalId'
  | 'version';

interface StoredEntry extends RowOf<'appointment', ShownOfAppointment> {
  professionalName: string;
  serviceName: string | null;
  hasNotes: boolean;
}

/** As much of an appointment as a day's list shows, with the names of whom and what it is about. */
export type AgendaEntry = Opened<StoredEntry>;

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
  const rows = await rowsOf<StoredEntry>(tables(em))`
    SELECT page.*, professional.name AS professional_name, service.name AS service_name
    FROM (
      SELECT
        id, tenant_id, starts_at, ends_at, patient_name, status, source, version, professional_id, service_type_id,
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
  `;
  return openRows(em, 'appointment', rows);
}
