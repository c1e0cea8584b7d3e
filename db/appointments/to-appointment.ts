import type { AppointmentRow } from '../entities/appointment.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { rowReader, type RawRow } from '../connection/row-reader.ts';

const reader = rowReader<AppointmentRow>(
  {
    id: 'id',
    tenantId: 'tenant_id',
    professionalId: 'professional_id',
    serviceTypeId: 'service_type_id',
    patientName: 'patient_name',
    patientPhoneHash: 'patient_phone_hash',
    startsAt: 'starts_at',
    endsAt: 'ends_at',
    blockFrom: 'block_from',
    blockUntil: 'block_until',
    blocks: 'blocks',
    status: 'status',
    source: 'source',
    patientNotes: 'patient_notes',
    metadata: 'metadata',
    externalId: 'external_id',
    cancellationReason: 'cancellation_reason',
    checkedInAt: 'checked_in_at',
    rescheduledToId: 'rescheduled_to_id',
    rescheduledFromId: 'rescheduled_from_id',
    version: 'version',
    createdAt: 'created_at',
    updatedAt: 'updated_at',
  },
  ['startsAt', 'endsAt', 'blockFrom', 'blockUntil', 'checkedInAt', 'createdAt', 'updatedAt'],
);

/** Every column by name: a prepared statement must not change its result when a migration adds one. */
export const APPOINTMENT_COLUMNS = reader.columns;

export type RawAppointment = RawRow;

export function toAppointment(em: EntityManager, raw: RawAppointment): AppointmentRow {
  return reader.read(em, raw);
}
