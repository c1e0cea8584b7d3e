import { NonBlockingMigration } from './non-blocking-migration.ts';

/** A key that replaced another one ends with it when that one is revoked, so it names it. */
export class KeysRolledFromMigration extends NonBlockingMigration {
  override up(): void {
    this.addSql('ALTER TABLE api_key ADD COLUMN IF NOT EXISTS rolled_from_key_id uuid');
    this.addSql('ALTER TABLE api_key DROP CONSTRAINT IF EXISTS api_key_rolled_from');
    this.addSql(`
      ALTER TABLE api_key ADD CONSTRAINT api_key_rolled_from
        FOREIGN KEY (tenant_id, rolled_from_key_id) REFERENCES api_key (tenant_id, id) NOT VALID
    `);
    // Keys that were rolled before are known from the audit, which is kept for a year.
    this.addSql(`
      UPDATE api_key SET rolled_from_key_id = old.id
      FROM audit_event
      JOIN api_key AS old ON old.tenant_id = audit_event.tenant_id AND old.id::text = audit_event.subject_id
      WHERE audit_event.action = 'api_key.rolled'
        AND api_key.tenant_id = audit_event.tenant_id
        AND api_key.id::text = audit_event.details ->> 'replacedBy'
        AND api_key.rolled_from_key_id IS NULL
    `);
    this.addSql('ALTER TABLE api_key VALIDATE CONSTRAINT api_key_rolled_from');
    this.buildIndex(
      'api_key_rolled_from_key',
      'ON api_key (tenant_id, rolled_from_key_id) WHERE rolled_from_key_id IS NOT NULL',
    );
  }
}
