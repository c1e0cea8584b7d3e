import type { PhoneHash } from '../../adapters/phones/phone-hash.ts';
import type { Database } from '../../db/connection/open-database.ts';
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

/** Whose data is meant: everyone with a phone, only those of them with a name, or one ID in the clinic's system. */
export interface NamedPatient {
  tenantId: string;
  phone?: string | undefined;
  name?: string | undefined;
  externalId?: string | undefined;
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

/** The patient in searchable form. @throws ServiceError `not_found` when nothing is stored about them */
export async function findNamedPatient(
  database: Pick<Database, 'em'>,
  phoneHash: PhoneHash,
  { tenantId, phone, name, externalId = '' }: NamedPatient,
): Promise<FoundPatient> {
  await rehashPhonesOf(database, phoneHash, tenantId);
  await rehashNamesOf(database, tenantId);
  const patient: Patient = phone
    ? { tenantId, patientPhoneHashes: phoneHash.every({ tenantId, e164: phone }), name: name ?? null }
    : { tenantId, externalId };
  if (!(await isStored(database, patient))) {
    throw new ServiceError(
      'not_found',
      'Nothing is stored about this patient in this clinic. Check the phone, the name or the external ID.',
    );
  }
  return { patient, storedHashes: (shown) => phoneHash.maybeOf(tenantId, shown) };
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
