import { Migration } from '@mikro-orm/migrations';

/** The key of a recording's bytes, sealed; null where an earlier version stored them as they are. */
export class RecordingKeysMigration extends Migration {
  override up(): void {
    this.addSql('ALTER TABLE call_recording ADD COLUMN key_sealed text');
  }
}
