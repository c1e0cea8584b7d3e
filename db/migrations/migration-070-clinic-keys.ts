import { Migration } from '@mikro-orm/migrations';

/**
 * A key for each clinic, sealed by ENCRYPTION_KEY; null once it was destroyed. SQL knows no master key, so the keys of clinics
 * that are there already are made when they are first needed, or while
 * what is stored is gone through, table by table, and sealed.
 */
export class ClinicKeysMigration extends Migration {
  override up(): void {
    this.addSql(`
CREATE TABLE clinic_key (
  tenant_id uuid PRIMARY KEY REFERENCES tenant,
  sealed text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  destroyed_at timestamptz(3),
  CONSTRAINT clinic_key_destroyed CHECK ((sealed IS NULL) = (destroyed_at IS NOT NULL))
)`);
    this.addSql(`
CREATE TABLE sealing_progress (
  table_name text PRIMARY KEY,
  -- The key of the last row looked at.
  position text[],
  left_over integer NOT NULL DEFAULT 0,
  next_at timestamptz NOT NULL DEFAULT '-infinity',
  done_at timestamptz(3)
)`);
  }
}
