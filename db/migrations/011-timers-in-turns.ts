import { NonBlockingMigration } from './non-blocking-migration.ts';

/** Clinics take turns when timers are started; within a clinic the soonest due comes first. */
export class TimersInTurnsMigration extends NonBlockingMigration {
  override up(): void {
    this.buildIndex(
      'outbox_timer_of_clinic',
      `ON outbox ((coalesce(message ->> 'clinicId', message -> 'delivery' ->> 'tenantId', '')), due_at) WHERE due_at IS NOT NULL`,
    );
    this.dropIndex('outbox_timer');
  }
}
