import { sql, type RawBuilder } from 'kysely';
import type { ClinicCipher } from '../../domain/encryption/clinic-ciphers.ts';
import { hashOfName } from '../../domain/patients/name-hashes.ts';

/** Of a row of `appointment`: its patient has this name, case, accents and spaces aside. A version before leaves names without a hash. */
export function isNamed(cipher: Pick<ClinicCipher, 'hash'>, name: string): RawBuilder<boolean> {
  return sql`
    (name_hash = ${hashOfName(cipher, name)} OR name_hash IS NULL AND plain_name(patient_name) = plain_name(${name}))
  `;
}
