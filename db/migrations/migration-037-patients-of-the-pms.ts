import { NonBlockingMigration } from './non-blocking-migration.ts';

/** The number by which a clinic's other system knows a patient, and all appointments of that patient by it. */
export class PatientsOfThePmsMigration extends NonBlockingMigration {
  override up(): void {
    this.addSql('ALTER TABLE appointment ADD COLUMN IF NOT EXISTS patient_external_id text');
    this.buildIndex(
      'appointment_by_patient_external_id',
      'ON appointment (tenant_id, patient_external_id, starts_at, id) WHERE patient_external_id IS NOT NULL',
    );
  }
}
