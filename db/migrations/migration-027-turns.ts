import { NonBlockingMigration } from './non-blocking-migration.ts';

/** What waits takes its turn: each clinic's oldest messages, however many others wait, and each endpoint's oldest due retries. */
export class TurnsMigration extends NonBlockingMigration {
  override up(): void {
    this.buildIndex(
      'outbox_message_of_clinic',
      `ON outbox ((coalesce(message ->> 'clinicId', message -> 'delivery' ->> 'tenantId', '')), id)
       WHERE endpoint_id IS NULL AND due_at IS NULL`,
    );
    this.buildIndex(
      'webhook_delivery_retry_of_endpoint',
      `ON webhook_delivery (endpoint_id, next_attempt_at) WHERE status = 'retrying'`,
    );
    // Nothing asks for the retries of all endpoints.
    this.dropIndex('webhook_delivery_retry_due');
  }
}
