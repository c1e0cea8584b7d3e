import { CLINIC_ROLE, GUEST_ROLE, isInClinicScope } from './clinic-walls.ts';
import { NonBlockingMigration } from './non-blocking-migration.ts';

const COLUMNS = `
ALTER TABLE calendar_entry
  -- Whether it was booked over other appointments on purpose.
  ADD COLUMN IF NOT EXISTS overlap boolean NOT NULL DEFAULT false,
  -- Like blocks, for a row that may overlap others: the exclusion constraint leaves it out.
  ADD COLUMN IF NOT EXISTS blocks_over boolean NOT NULL DEFAULT false,
  DROP CONSTRAINT IF EXISTS calendar_entry_blocks_once,
  ADD CONSTRAINT calendar_entry_blocks_once CHECK (NOT (blocks AND blocks_over)) NOT VALID;
`;

const VIEW = `
CREATE OR REPLACE VIEW appointment WITH (security_invoker = true) AS
SELECT
  id, tenant_id, professional_id, service_type_id, call_id, external_id, patient_name, name_hash, name_tokens,
  patient_phone_hash, patient_external_id, starts_at, ends_at, own_length, block_from, block_until, blocks, status,
  source, patient_notes, metadata, cancellation_reason, checked_in_at, reinstated_at, rescheduled_to_id,
  rescheduled_from_id, version, created_at, updated_at,
  acknowledged_version, acknowledged_state, acknowledged_at, refusal_reason, unacknowledged_version, imported_version,
  acknowledged_by,
  overlap, blocks_over
FROM calendar_entry
WHERE status <> 'held';
`;

/** Each half has an index of its own. The status counts too: the previous version cancels without clearing blocks_over. */
const TAKES_TIME_OVER = `blocks_over AND status IN ('confirmed', 'attended')`;

const TAKEN_TIME = `
CREATE OR REPLACE VIEW taken_time AS
SELECT id, tenant_id, professional_id, status, hold_expires_at, block_from, block_until, held_by
FROM calendar_entry
WHERE blocks AND ${isInClinicScope()}
UNION ALL
SELECT id, tenant_id, professional_id, status, hold_expires_at, block_from, block_until, held_by
FROM calendar_entry
WHERE ${TAKES_TIME_OVER} AND ${isInClinicScope()};
GRANT SELECT ON taken_time TO ${CLINIC_ROLE}, ${GUEST_ROLE};
`;

/**
 * Skips a row whose time an overlapping appointment takes, like ON CONFLICT DO NOTHING. The lock makes it wait for such an
 * appointment that is being booked; the second statement sees what was committed until then. It reads as the owner,
 * because row-level security would keep it from using the index.
 */
const KEEP_CLEAR = `
CREATE OR REPLACE FUNCTION keep_clear_of_overlaps() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM FROM professional WHERE id = NEW.professional_id FOR KEY SHARE;
  IF EXISTS (
    SELECT FROM calendar_entry
    WHERE professional_id = NEW.professional_id
      AND tstzrange(block_from, block_until, '[)') && tstzrange(NEW.block_from, NEW.block_until, '[)')
      AND ${TAKES_TIME_OVER}
  ) THEN
    RETURN NULL;
  END IF;
  RETURN NEW;
END
$$;
REVOKE EXECUTE ON FUNCTION keep_clear_of_overlaps FROM PUBLIC;
CREATE OR REPLACE TRIGGER appointment_clear_of_overlaps BEFORE INSERT ON calendar_entry
FOR EACH ROW WHEN (NEW.blocks) EXECUTE FUNCTION keep_clear_of_overlaps();
`;

/** Appointments that overlap others on purpose, and no one else's. */
export class OverlapsMigration extends NonBlockingMigration {
  override up(): void {
    this.addSql(COLUMNS);
    this.addSql('ALTER TABLE calendar_entry VALIDATE CONSTRAINT calendar_entry_blocks_once');
    this.buildIndex(
      'appointment_over_others',
      `ON calendar_entry USING gist (professional_id, tstzrange(block_from, block_until, '[)')) WHERE blocks_over`,
    );
    this.addSql(VIEW);
    this.addSql(TAKEN_TIME);
    this.addSql(KEEP_CLEAR);
  }
}
