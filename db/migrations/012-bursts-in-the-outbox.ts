import { NonBlockingMigration } from './non-blocking-migration.ts';

/** A burst owes its workflow by rows of its own: `attempted`, like deliveries that owe theirs, and of no endpoint. */
export class BurstsInTheOutboxMigration extends NonBlockingMigration {
  override up(): void {
    this.buildIndex(
      'outbox_message_in_turns',
      `ON outbox ((coalesce(message ->> 'clinicId', message -> 'delivery' ->> 'tenantId', '')), id)
       WHERE endpoint_id IS NULL AND due_at IS NULL AND NOT attempted`,
    );
    this.buildIndex(
      'outbox_attempted_in_turns',
      'ON outbox (clinic_id, id) WHERE endpoint_id IS NOT NULL AND attempted',
    );
    this.buildIndex('outbox_burst', 'ON outbox (available_at) WHERE endpoint_id IS NULL AND attempted');
    this.dropIndex('outbox_message_of_clinic');
    this.dropIndex('outbox_attempted_of_clinic');
  }
}
