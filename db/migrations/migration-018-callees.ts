import { NonBlockingMigration } from './non-blocking-migration.ts';

/**
 * Finds the calls that a clinic made to a patient. Who was called is stored encrypted, so the hashes of earlier calls are made by
 * whoever asks for a patient's calls and has the keys: commands/patients/hash-callees.ts
 */
export class CalleesMigration extends NonBlockingMigration {
  override up(): void {
    this.addSql('ALTER TABLE call ADD COLUMN IF NOT EXISTS to_number_hash text');
    this.buildIndex('call_by_callee', 'ON call (tenant_id, to_number_hash, started_at)');
    this.buildIndex('call_without_callee', 'ON call (tenant_id, id) WHERE to_number_hash IS NULL');
  }
}
