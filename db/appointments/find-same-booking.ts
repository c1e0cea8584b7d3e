import { hashOfName } from '../../domain/patients/name-hashes.ts';
import type { AppointmentRow } from '../entities/appointment.entity.ts';
import { cipherOf } from '../connection/cipher-of.ts';
import { prepared, type EntityManager } from '../connection/statements.ts';
import type { RawRow } from '../connection/row-reader.ts';
import { appointmentReader } from './appointment-reader.ts';

export type BookingToFind = Pick<
  AppointmentRow,
  'tenantId' | 'professionalId' | 'serviceTypeId' | 'patientName' | 'patientPhoneHash' | 'startsAt'
>;

/** The confirmed appointment of that patient, who is known by phone and name, with all of that; null without one. */
export async function findSameBooking(
  em: EntityManager,
  wanted: BookingToFind,
): Promise<AppointmentRow | null> {
  const cipher = await cipherOf(em, wanted.tenantId);
  const rows = await prepared<RawRow>(em)`
    SELECT ${appointmentReader.columns}
    FROM appointment
    WHERE tenant_id = ${wanted.tenantId}
      AND patient_phone_hash = ${wanted.patientPhoneHash}
      AND starts_at = ${wanted.startsAt}
      AND professional_id = ${wanted.professionalId}
      AND service_type_id IS NOT DISTINCT FROM ${wanted.serviceTypeId}::uuid
      AND name_hash = ${hashOfName(cipher, wanted.patientName)}
      AND status = 'confirmed'
  `;
  return rows[0] ? appointmentReader.read(em, rows[0]) : null;
}
