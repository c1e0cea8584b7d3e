import type { AppointmentRow } from '../entities/appointment.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { prepared } from '../connection/prepared.ts';
import type { RawRow } from '../connection/row-reader.ts';
import { appointmentReader } from './appointment-reader.ts';

export type BookingToFind = Pick<
  AppointmentRow,
  'tenantId' | 'professionalId' | 'serviceTypeId' | 'patientPhoneHash' | 'startsAt'
>;

/** The confirmed appointments at that start for that service and phone: one at most, for they hold one slot. */
export async function findSameBookings(em: EntityManager, wanted: BookingToFind): Promise<AppointmentRow[]> {
  const { rows } = await prepared<RawRow>(em)`
    SELECT ${appointmentReader.columns}
    FROM appointment
    WHERE tenant_id = ${wanted.tenantId}
      AND patient_phone_hash = ${wanted.patientPhoneHash}
      AND starts_at = ${wanted.startsAt}
      AND professional_id = ${wanted.professionalId}
      AND service_type_id IS NOT DISTINCT FROM ${wanted.serviceTypeId}::uuid
      AND status = 'confirmed'
  `;
  return rows.map((row) => appointmentReader.read(em, row));
}
