import { sql } from 'kysely';

/** Who an appointment's patient is, as the index appointment_by_hashed_patient has it: docs/recall.md#who-is-one-patient */
export const PATIENT_KEY = sql`hashed_patient_key(patient_external_id, patient_phone_hash, name_hash)`;
