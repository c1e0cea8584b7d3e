import { sql } from 'kysely';

/**
 * The key that identifies the patient of an appointment, as in the index appointment_by_hashed_patient:
 * docs/recall.md#who-is-one-patient
 */
export const PATIENT_KEY = sql`hashed_patient_key(patient_external_id, patient_phone_hash, name_hash)`;
