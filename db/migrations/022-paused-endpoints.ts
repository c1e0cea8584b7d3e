import { NonBlockingMigration } from './non-blocking-migration.ts';

/** An endpoint can pause, and send headers of the clinic's own with every delivery. */
export class PausedEndpointsMigration extends NonBlockingMigration {
  override up(): void {
    this.addSql(`
      ALTER TABLE webhook_endpoint
        ADD COLUMN IF NOT EXISTS paused_until timestamptz(3),
        -- Encrypted JSON, bound to the endpoint.
        ADD COLUMN IF NOT EXISTS headers_ciphertext text,
        ADD COLUMN IF NOT EXISTS header_names text[] NOT NULL DEFAULT '{}'`);
    this.buildIndex(
      'webhook_endpoint_paused',
      'ON webhook_endpoint (paused_until) WHERE paused_until IS NOT NULL',
    );
  }
}
