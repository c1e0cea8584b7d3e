import type { PhoneHash } from '../../adapters/phones/phone-hash.ts';
import { findAppointment } from '../../db/appointments/find-appointment.ts';
import type { Database, EntityManager } from '../../db/connection/open-database.ts';
import {
  findAppointmentsOfPatient,
  findPhonesOfPatient,
  type Patient,
} from '../../db/patients/appointments-of-patient.ts';
import { findCallsOfPhones } from '../../db/patients/calls-of-patient.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { shownPhoneHash } from '../../domain/patients/shown-phone-hash.ts';
import type { CommandContext } from '../command-context.ts';
import type { ShownHash } from './events-of-patient.ts';
import { rehashNamesOf } from './rehash-names.ts';
import { rehashPhonesOf } from './rehash-phones.ts';

/**
 * Whose data is meant: everyone with a phone, only those of them with a name, one ID in the clinic's system, or the
 * patient of an appointment.
 */
export interface NamedPatient {
  tenantId: string;
  phone?: string | undefined;
  name?: string | undefined;
  externalId?: string | undefined;
  appointmentId?: string | undefined;
}

/** What exporting or erasing a patient's data needs. */
export interface PatientWork {
  database: Pick<Database, 'em'>;
  context: CommandContext;
}

export interface FoundPatient {
  patient: Patient;
  /** The stored hashes for a shown hash, which may be older. */
  storedHashes?: ShownHash;
}

/** Makes all steps of a command one transaction: a request is done completely or not at all. */
export function withinTransaction(em: EntityManager): PatientWork['database'] {
  return { em: () => em.fork({ keepTransactionContext: true }) };
}

/** Like `findNamedPatient`. @throws ServiceError `not_found` when nothing is stored about the patient */
export async function requireNamedPatient(
  ...asked: Parameters<typeof findNamedPatient>
): Promise<FoundPatient> {
  const found = await findNamedPatient(...asked);
  if (found) return found;
  throw new ServiceError(
    'not_found',
    'Nothing is stored about this patient in this clinic. Check the phone, the name or the external ID.',
  );
}

/** The patient in searchable form; null when nothing is stored about them. */
export async function findNamedPatient(
  database: Pick<Database, 'em'>,
  phoneHash: PhoneHash,
  { tenantId, phone, name, externalId = '', appointmentId }: NamedPatient,
): Promise<FoundPatient | null> {
  await rehashPhonesOf(database, phoneHash, tenantId);
  await rehashNamesOf(database, tenantId);
  const byPhoneOrId: Patient = phone
    ? { tenantId, patientPhoneHashes: phoneHash.every({ tenantId, e164: phone }), name: name ?? null }
    : { tenantId, externalId };
  const patient =
    appointmentId === undefined
      ? byPhoneOrId
      : await patientOfAppointment(database.em(), tenantId, appointmentId);
  if (patient === null || !(await isStored(database, patient))) return null;
  return { patient, storedHashes: (shown) => phoneHash.maybeOf(tenantId, shown) };
}

/** Null when there is no such appointment, or its patient was erased. */
async function patientOfAppointment(
  em: EntityManager,
  tenantId: string,
  id: string,
): Promise<Patient | null> {
  const appointment = await findAppointment(em, tenantId, id);
  if (!appointment || appointment.patientName === null) return null;
  const { patientExternalId: externalId, patientPhoneHash, patientName: name } = appointment;
  return externalId === null
    ? { tenantId, patientPhoneHashes: [patientPhoneHash], name }
    : { tenantId, externalId };
}

async function isStored(database: Pick<Database, 'em'>, patient: Patient): Promise<boolean> {
  const em = database.em();
  if ((await findAppointmentsOfPatient(em, patient, 1)).length > 0) return true;
  const { own } = await findPhonesOfPatient(em, patient);
  return (await findCallsOfPhones(em, patient.tenantId, own, 1)).length > 0;
}

/** How an answer or event names the patient: as the request did. */
export function shownPatient(patient: Patient) {
  return 'externalId' in patient
    ? { patientPhoneHash: null, patientExternalId: patient.externalId }
    : { patientPhoneHash: shownPhoneHash(patient.patientPhoneHashes[0] ?? ''), patientExternalId: null };
}
