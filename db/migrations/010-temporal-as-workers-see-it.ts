import { ADMISSION_ROLE } from './clinic-walls.ts';
import { NonBlockingMigration } from './non-blocking-migration.ts';

/** Each worker says beside its lease whether it reaches Temporal, for processes that do not ask Temporal themselves. */
export class TemporalAsWorkersSeeItMigration extends NonBlockingMigration {
  override up(): void {
    // Null: it reaches Temporal. A worker of an earlier version says nothing and counts as one that does.
    this.addSql('ALTER TABLE worker_lease ADD COLUMN IF NOT EXISTS temporal_away_since timestamptz');
    this.addSql(`GRANT SELECT ON worker_lease TO ${ADMISSION_ROLE}`);
  }
}
