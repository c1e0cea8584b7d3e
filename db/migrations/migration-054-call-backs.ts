import { NonBlockingMigration } from './non-blocking-migration.ts';

/** Who of the clinic has called a caller back, and when; and the calls that wait for it. */
export class CallBacksMigration extends NonBlockingMigration {
  override up(): void {
    this.addSql(`
      ALTER TABLE call
        ADD COLUMN IF NOT EXISTS called_back_at timestamptz(3),
        ADD COLUMN IF NOT EXISTS called_back_by text
    `);
    this.addSql('ALTER TABLE call DROP CONSTRAINT IF EXISTS call_called_back');
    this.addSql(`
      ALTER TABLE call ADD CONSTRAINT call_called_back
        CHECK ((called_back_at IS NULL) = (called_back_by IS NULL)) NOT VALID
    `);
    this.addSql('ALTER TABLE call VALIDATE CONSTRAINT call_called_back');
    this.buildIndex(
      'call_to_return',
      `ON call (tenant_id, started_at, id)
        WHERE called_back_at IS NULL AND outcome IN ('handoff_to_human', 'voicemail', 'abandoned')`,
    );
  }
}
