import { NonBlockingMigration } from './non-blocking-migration.ts';

/**
 * An endpoint without a URL has a queue that its system reads. Its deliveries have no workflow, and no time of a next
 * attempt.
 */
export class PullEndpointsMigration extends NonBlockingMigration {
  override up(): void {
    this.addSql(`
      ALTER TABLE webhook_endpoint
        ALTER COLUMN url DROP NOT NULL,
        -- When its queue was last read, to a minute.
        ADD COLUMN IF NOT EXISTS read_at timestamptz(3)`);
    // A notification about a pull endpoint names no URL.
    this.addSql(`
      ALTER TABLE notification
        DROP CONSTRAINT IF EXISTS notification_about,
        ADD CONSTRAINT notification_about CHECK (
          CASE kind
            WHEN 'appointment_unacknowledged' THEN num_nulls(appointment_id, appointment_version) = 0
            ELSE endpoint_id IS NOT NULL
          END
        ) NOT VALID`);
    this.addSql('ALTER TABLE notification VALIDATE CONSTRAINT notification_about');
    this.addSql('ALTER TABLE webhook_delivery ALTER COLUMN workflow_id DROP NOT NULL');
    this.addSql(`
      ALTER TABLE webhook_delivery
        DROP CONSTRAINT IF EXISTS webhook_delivery_check,
        DROP CONSTRAINT IF EXISTS webhook_delivery_next_attempt,
        ADD CONSTRAINT webhook_delivery_next_attempt CHECK (
          (next_attempt_at IS NOT NULL) = (status IN ('pending', 'retrying') AND workflow_id IS NOT NULL)
        ) NOT VALID`);
    this.addSql('ALTER TABLE webhook_delivery VALIDATE CONSTRAINT webhook_delivery_next_attempt');
    this.buildIndex(
      'webhook_endpoint_pull',
      'ON webhook_endpoint (id) WHERE url IS NULL AND deleted_at IS NULL',
    );
  }
}
