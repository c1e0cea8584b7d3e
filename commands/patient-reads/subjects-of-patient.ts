import type { EntityManager } from '../../db/connection/open-database.ts';
import { openRow } from '../../db/encryption/field-seal.ts';
import { AppointmentEntity } from '../../db/entities/appointment.entity.ts';
import {
  findAppointmentsOfPatient,
  findPhonesOfPatient,
  type Patient,
} from '../../db/patients/appointments-of-patient.ts';
import { findCallsOfPhones } from '../../db/patients/calls-of-patient.ts';

/** More appointments and calls than one patient can have. */
const MOST = 100_000;

/** The ids under which a patient was viewed: appointments, and calls from a phone that no one else has. */
export async function findSubjectsOfPatient(em: EntityManager, patient: Patient): Promise<string[]> {
  const { own } = await findPhonesOfPatient(em, patient);
  return [
    ...(await findAppointmentsOfPatient(em, patient, MOST)),
    ...(await findCallsOfPhones(em, patient.tenantId, own, MOST)),
  ];
}

/**
 * The patient of an appointment, in the form used to find their others; null when there is no such appointment (in that
 * clinic, if given).
 */
export async function findPatientOfAppointment(
  em: EntityManager,
  place: { id: string; tenantId?: string | undefined },
): Promise<Patient | null> {
  const { id, tenantId: asked } = place;
  const stored = await em.findOne(AppointmentEntity, { id, ...(asked !== undefined && { tenantId: asked }) });
  if (!stored) return null;
  const { tenantId, patientExternalId, patientPhoneHash } = stored;
  if (patientExternalId !== null) return { tenantId, externalId: patientExternalId };
  const { patientName: name } = await openRow(em, 'appointment', stored);
  return { tenantId, patientPhoneHashes: [patientPhoneHash], name };
}
