import { NonBlockingMigration } from './non-blocking-migration.ts';

/** Messages are claimed in turn by clinic: each clinic's oldest ones, however many others wait. */
export class MessageTurnsMigration extends NonBlockingMigration {
  override up(): void {
    this.buildIndex(
      'outbox_message_of_clinic',
      `ON outbox ((coalesce(message ->> 'clinicId', message -> 'delivery' ->> 'tenantId', '')), id)
       WHERE endpoint_id IS NULL AND due_at IS NULL`,
    );
  }
}
