import { NonBlockingMigration } from './non-blocking-migration.ts';

/**
 * Lists of an endpoint and of a professional are found by an index that holds the clinic too. PostgreSQL multiplies how rare a
 * clinic is, which the wall asks for a second time, with how rare an endpoint is, and reads all of both rather than the
 * latest of one: 43 ms in a clinic with 100,000 deliveries. docs/scale.md
 */
export class ClinicsInListIndexesMigration extends NonBlockingMigration {
  override up(): void {
    this.buildIndex('webhook_delivery_at_endpoint', 'ON webhook_delivery (endpoint_id, tenant_id, id)');
    this.dropIndex('webhook_delivery_of_endpoint');
    this.buildIndex(
      'appointment_with_professional',
      'ON calendar_entry (professional_id, tenant_id, starts_at, id)',
    );
    this.dropIndex('appointment_of_professional');
  }
}
