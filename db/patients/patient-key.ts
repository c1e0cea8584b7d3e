import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { ClinicCipher } from '../../domain/encryption/clinic-ciphers.ts';
import { hashOfName } from '../../domain/patients/name-hashes.ts';
import { plainName } from '../../domain/patients/plain-name.ts';

/**
 * Who an appointment's patient is, as the index appointment_by_hashed_patient has it: the number that the clinic's other system
 * gave them, else phone and name, which a version before has left without a hash.
 */
export const PATIENT_KEY = sql`hashed_patient_key(patient_external_id, patient_phone_hash, name_hash, patient_name)`;

/** That key of somebody without a number: as it is, and as it is in rows whose names have no hash yet. */
export function keysOfUnnumbered(
  cipher: Pick<ClinicCipher, 'hash'>,
  patientPhoneHash: string,
  name: string,
): [string, string] {
  const key = (named: string) => hash('sha256', `p${patientPhoneHash}${named}`);
  return [key(hashOfName(cipher, name)), key(plainName(name))];
}
