import { NonBlockingMigration } from './non-blocking-migration.ts';

/** What exactly was wrong with an endpoint's TLS. */
export class TlsFaultsMigration extends NonBlockingMigration {
  override up(): void {
    this.addSql('ALTER TABLE webhook_attempt ADD COLUMN IF NOT EXISTS tls_fault text');
  }
}
