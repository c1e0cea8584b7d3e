import { NonBlockingMigration } from './non-blocking-migration.ts';

/** Letters alone, so that “João  Silva” and “joao silva” are one name: docs/recall.md#who-is-one-patient */
const PLAIN_NAME = `
CREATE OR REPLACE FUNCTION plain_name(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN lower(regexp_replace(normalize(name, NFKD), '[\\u0300-\\u036f[:space:]]+', '', 'g'))
`;

/**
 * Who an appointment's patient is: the number that the clinic's other system gave them, else phone and name. Hashed, because
 * it is also written down how far a search among patients has come.
 */
const PATIENT_KEY = `
CREATE OR REPLACE FUNCTION patient_key(external_id text, phone_hash text, name text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN encode(
  sha256(convert_to(coalesce('e' || external_id, 'p' || phone_hash || plain_name(name)), 'UTF8')), 'hex'
)
`;

/** The last visit for which a patient was called back, for ever. The table recall goes on for versions that ask it. */
const RECALLED_VISIT = `
CREATE TABLE IF NOT EXISTS recalled_visit (
  tenant_id uuid NOT NULL,
  appointment_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, appointment_id),
  FOREIGN KEY (tenant_id, appointment_id) REFERENCES appointment (tenant_id, id)
)
`;

export class PatientsMigration extends NonBlockingMigration {
  override up(): void {
    // Also in 037, which some databases have run before this one.
    this.addSql('ALTER TABLE appointment ADD COLUMN IF NOT EXISTS patient_external_id text');
    for (const part of [PLAIN_NAME, PATIENT_KEY, RECALLED_VISIT]) this.addSql(part);
    this.buildIndex(
      'appointment_by_patient_key',
      'ON appointment (tenant_id, patient_key(patient_external_id, patient_phone_hash, patient_name), starts_at)',
    );
  }
}
