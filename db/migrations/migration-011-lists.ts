import { NonBlockingMigration } from './non-blocking-migration.ts';

/** Each filter of a list finds its page by an index, however many rows the clinic has. */
export class ListsMigration extends NonBlockingMigration {
  override up(): void {
    this.buildIndex('appointment_of_professional', 'ON appointment (professional_id, starts_at, id)');
    this.buildIndex('appointment_with_status', 'ON appointment (tenant_id, status, starts_at, id)');
    this.dropIndex('appointment_by_status');
    this.buildIndex('webhook_event_of_type', 'ON webhook_event (tenant_id, type, created_at, id)');
    this.buildIndex('webhook_delivery_of_type', 'ON webhook_delivery (tenant_id, event_type, id)');
    this.buildIndex('webhook_delivery_with_status', 'ON webhook_delivery (tenant_id, status, id)');
    this.dropIndex('webhook_delivery_missed');
  }
}
