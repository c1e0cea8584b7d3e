import { sql, type RawBuilder } from 'kysely';

/**
 * Of a row of `appointment`: the clinic's other system calls it so, or its patient, capitals aside. As the indexes
 * appointment_by_typed_number and appointment_by_typed_patient_number have it.
 */
export function isNumbered(number: string): RawBuilder<boolean> {
  return sql`(lower(external_id) = lower(${number}) OR lower(patient_external_id) = lower(${number}))`;
}
