import { sql, type RawBuilder } from 'kysely';

/**
 * A condition on a row of `appointment`: the appointment or its patient has this external ID, ignoring case. The
 * expressions are the same as in the indexes appointment_by_typed_number and appointment_by_typed_patient_number.
 */
export function isNumbered(number: string): RawBuilder<boolean> {
  return sql`(lower(external_id) = lower(${number}) OR lower(patient_external_id) = lower(${number}))`;
}
