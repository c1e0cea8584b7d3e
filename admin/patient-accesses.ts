import { presentAccess } from '../api/patients/present.ts';
import { readPhoneNumber } from '../adapters/phones/read-phone-number.ts';
import { requireTenant } from '../commands/clinic/lock-tenant.ts';
import { listPatientAccesses } from '../commands/patient-reads/patient-accesses.ts';
import {
  findPatientOfAppointment,
  findSubjectsOfPatient,
} from '../commands/patient-reads/subjects-of-patient.ts';
import type { Environment } from '../adapters/config/read-config.ts';
import type { EntityManager } from '../db/connection/open-database.ts';
import type { Patient } from '../db/patients/appointments-of-patient.ts';
import type { PatientReadQuery } from '../db/patient-reads/patient-reads.ts';
import { notFound } from '../domain/service-error.ts';
import { UsageError } from './failures.ts';
import { id } from './options.ts';
import { readPhoneHash } from './service-keys.ts';
import { rehashPhonesOf } from '../commands/patients/rehash-phones.ts';

interface WantedSeeings extends Omit<PatientReadQuery, 'tenantId' | 'subjectIds'> {
  tenantId: string | undefined;
  /** What identifies the patient: a phone, an external ID, or the id of an appointment. */
  named: string;
}

/** The access log of a patient, newest first, in the form of the activity log. Errors: `not_found`. */
export async function whoSaw(
  em: EntityManager,
  { tenantId, named, ...wanted }: WantedSeeings,
  environment: Environment,
) {
  const patient = await readPatient(em, { tenantId, named }, environment);
  const subjectIds = await findSubjectsOfPatient(em, patient);
  const accesses = await listPatientAccesses(em, { ...wanted, tenantId: patient.tenantId, subjectIds });
  return accesses.map((access) => presentAccess(access, patient.tenantId));
}

async function readPatient(
  em: EntityManager,
  { tenantId, named }: Pick<WantedSeeings, 'tenantId' | 'named'>,
  environment: Environment,
): Promise<Patient> {
  const place = { id: named.toLowerCase(), tenantId };
  const ofAppointment = id.safeParse(named).success ? await findPatientOfAppointment(em, place) : null;
  if (ofAppointment) return ofAppointment;
  if (tenantId === undefined) {
    if (id.safeParse(named).success) throw notFound('appointment', named);
    throw new UsageError('--patient requires --tenant, unless it is the ID of an appointment.');
  }
  const { country } = await requireTenant(em, tenantId);
  // Without a plus, it may be an external ID.
  const e164 = /^(tel:|\s)*\+/i.test(named) ? readPhoneNumber(named, country) : null;
  if (e164 === null) return { tenantId, externalId: named };
  const phoneHash = readPhoneHash(environment);
  await rehashPhonesOf({ em: () => em }, phoneHash, tenantId);
  return { tenantId, patientPhoneHashes: phoneHash.every({ tenantId, e164 }), name: null };
}
