import { AppointmentEntity } from '../../db/entities/appointment.entity.ts';
import { openRows } from '../../db/encryption/field-seal.ts';
import {
  countAppointmentsOfPatient,
  findAppointmentsOfPatient,
  findPhonesOfPatient,
} from '../../db/patients/appointments-of-patient.ts';
import { countCallsOfPhones } from '../../db/patients/calls-of-patient.ts';
import { shownName } from '../../domain/patients/erased-name.ts';
import type { FoundPatient, PatientWork } from './named-patient.ts';

/** What an export or an erasure is about. */
export interface PatientSize {
  /** The names in the first appointments. */
  names: string[];
  /** The appointments with these names. */
  shown: string[];
  appointments: number;
  calls: number;
  /** Calls from phones that other patients use too. An export and an erasure leave them out. */
  callsKept: number;
}

/** The number of appointments whose names are read. */
const MAX_NAMED = 100;

/** Counts what is stored about a patient. */
export async function sizeUpPatient(
  database: PatientWork['database'],
  { patient }: FoundPatient,
): Promise<PatientSize> {
  const em = database.em();
  const { tenantId } = patient;
  const shown = await findAppointmentsOfPatient(em, patient, MAX_NAMED);
  const stored = await em.find(AppointmentEntity, { tenantId, id: { $in: shown } });
  const rows = await openRows(em, 'appointment', stored);
  const { own, shared } = await findPhonesOfPatient(em, patient);
  return {
    names: [...new Set(rows.map(({ patientName }) => shownName(patientName)))].toSorted(),
    shown,
    appointments: await countAppointmentsOfPatient(em, patient),
    calls: await countCallsOfPhones(em, tenantId, own),
    callsKept: await countCallsOfPhones(em, tenantId, shared),
  };
}
