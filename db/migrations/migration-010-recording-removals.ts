import { Migration } from '@mikro-orm/migrations';

/**
 * Bytes in the recording storage that no call is to have: of a recording that was erased or replaced, due at once, and of
 * one that is being uploaded, due when no upload can last any longer. The upload's own transaction takes its line out.
 */
const RECORDING_REMOVAL = `
CREATE TABLE recording_removal (
  recording_id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES tenant (id),
  due_at timestamptz(3) NOT NULL
);
CREATE INDEX recording_removal_due ON recording_removal (due_at);
`;

export class RecordingRemovalsMigration extends Migration {
  override up(): void {
    this.addSql(RECORDING_REMOVAL);
  }
}
