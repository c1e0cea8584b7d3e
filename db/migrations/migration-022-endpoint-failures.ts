import { NonBlockingMigration } from './non-blocking-migration.ts';

/** The last failures of an endpoint are found without a look at what succeeded. */
export class EndpointFailuresMigration extends NonBlockingMigration {
  override up(): void {
    this.buildIndex(
      'webhook_delivery_failed_at_endpoint',
      'ON webhook_delivery (endpoint_id, id) WHERE last_error_class IS NOT NULL',
    );
  }
}
