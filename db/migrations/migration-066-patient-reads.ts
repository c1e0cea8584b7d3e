import { Migration } from '@mikro-orm/migrations';

/**
 * Who was shown which patients: docs/decisions/0026-who-read-what.md. When stands in the id, a UUIDv7; the ids of a row are of appointments or
 * calls, as its kind says.
 */
const PATIENT_READS = `
CREATE TABLE patient_read (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  actor text NOT NULL,
  kind text NOT NULL,
  subject_ids uuid[] NOT NULL,
  request_ids uuid[] NOT NULL
);
CREATE INDEX patient_read_of_clinic ON patient_read (tenant_id, id);
CREATE INDEX patient_read_subjects ON patient_read USING gin (subject_ids);
`;

export class PatientReadsMigration extends Migration {
  override up(): void {
    this.addSql(PATIENT_READS);
  }
}
