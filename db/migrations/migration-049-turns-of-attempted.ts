import { NonBlockingMigration } from './non-blocking-migration.ts';

/** Deliveries whose workflow could not be started take turns by clinic. */
export class TurnsOfAttemptedMigration extends NonBlockingMigration {
  override up(): void {
    this.buildIndex('outbox_attempted_of_clinic', 'ON outbox (clinic_id, id) WHERE attempted');
  }
}
