import { sql, type RawBuilder } from 'kysely';

/**
 * On a row of `appointment`: it or its patient has this external ID, ignoring case. Same expressions as the indexes
 * appointment_by_typed_number and appointment_by_typed_patient_number.
 */
export function isNumbered(number: string): RawBuilder<boolean> {
  return sql`(lower(external_id) = lower(${number}) OR lower(patient_external_id) = lower(${number}))`;
}
