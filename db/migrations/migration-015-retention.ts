import { NonBlockingMigration } from './non-blocking-migration.ts';

/** What has been kept long enough is found, and goes, in small steps: docs/decisions/0015-retention-in-small-steps.md */
export class RetentionMigration extends NonBlockingMigration {
  override up(): void {
    // Null when it is no longer kept.
    this.addSql('ALTER TABLE webhook_event ALTER COLUMN body DROP NOT NULL');
    this.buildIndex(
      'webhook_event_with_body',
      'ON webhook_event (tenant_id, created_at, id) WHERE body IS NOT NULL',
    );
    this.buildIndex(
      'webhook_attempt_with_excerpt',
      `ON webhook_attempt (started_at) WHERE response_excerpt <> ''`,
    );
    // Whoever removes a delivery has to know whether another one repeats it.
    this.buildIndex(
      'webhook_delivery_resend_of',
      'ON webhook_delivery (resend_of) WHERE resend_of IS NOT NULL',
    );
    this.buildIndex(
      'call_event_with_words',
      `ON call_event (tenant_id, occurred_at)
       WHERE transcript IS NOT NULL OR tool_input IS NOT NULL OR tool_output IS NOT NULL`,
    );
    this.buildIndex('call_recording_by_upload', 'ON call_recording (tenant_id, uploaded_at)');
  }
}
