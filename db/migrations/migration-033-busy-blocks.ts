import { Migration } from '@mikro-orm/migrations';

const BUSY_BLOCKS = `
CREATE TABLE busy_block (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES tenant (id),
  external_id text NOT NULL,
  -- Null: the whole clinic.
  professional_id uuid,
  starts_at timestamptz(3) NOT NULL,
  ends_at timestamptz(3) NOT NULL,
  title text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (tenant_id, external_id),
  CHECK (starts_at < ends_at),
  FOREIGN KEY (tenant_id, professional_id) REFERENCES professional (tenant_id, id)
);
CREATE INDEX busy_block_by_start ON busy_block (tenant_id, starts_at, id);
CREATE INDEX busy_block_within ON busy_block USING gist (tenant_id, tstzrange(starts_at, ends_at, '[)'));
`;

/** When a professional or the whole clinic cannot be booked, whatever the hours: lunch, meetings, leave. */
export class BusyBlocksMigration extends Migration {
  override up(): void {
    this.addSql(BUSY_BLOCKS);
  }
}
