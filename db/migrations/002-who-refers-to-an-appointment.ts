import { NonBlockingMigration } from './non-blocking-migration.ts';

/** Of a row that goes, a hold or the time that a longer appointment takes, PostgreSQL asks whether another one refers to it. */
export class WhoRefersToAnAppointmentMigration extends NonBlockingMigration {
  override up(): void {
    this.buildIndex(
      'appointment_rescheduled_to',
      'ON calendar_entry (rescheduled_to_id) WHERE rescheduled_to_id IS NOT NULL',
    );
    this.buildIndex(
      'appointment_rescheduled_from',
      'ON calendar_entry (rescheduled_from_id) WHERE rescheduled_from_id IS NOT NULL',
    );
  }
}
