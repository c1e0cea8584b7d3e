import { NonBlockingMigration } from './non-blocking-migration.ts';

/** The call in which an appointment was made, and all appointments that were made in a call. */
export class CallsOfAppointmentsMigration extends NonBlockingMigration {
  override up(): void {
    this.addSql('ALTER TABLE appointment ADD COLUMN IF NOT EXISTS call_id uuid');
    this.addSql('ALTER TABLE appointment DROP CONSTRAINT IF EXISTS appointment_call');
    this.addSql(`
      ALTER TABLE appointment
        ADD CONSTRAINT appointment_call FOREIGN KEY (tenant_id, call_id) REFERENCES call (tenant_id, id) NOT VALID
    `);
    this.addSql('ALTER TABLE appointment VALIDATE CONSTRAINT appointment_call');
    this.buildIndex('appointment_of_call', 'ON appointment (call_id, id) WHERE call_id IS NOT NULL');
  }
}
