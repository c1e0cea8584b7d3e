import { Migration } from '@mikro-orm/migrations';

/** Columns of an appointment, in the order of its table; the view shows these and keeps holds out. */
const COLUMNS = `
  id, tenant_id, professional_id, service_type_id, patient_name, patient_phone_hash, starts_at, ends_at, block_from,
  block_until, blocks, status, source, patient_notes, metadata, external_id, cancellation_reason, checked_in_at,
  rescheduled_to_id, rescheduled_from_id, version, created_at, updated_at, patient_external_id, own_length,
  reinstated_at, call_id
`;

/**
 * A hold is a row beside appointments, under the same exclusion of slots, and nobody's appointment: whatever reads or writes
 * `appointment`, the version before too, sees none. What a view leaves to its table (defaults, locks, ON CONFLICT) works as
 * before, because it is one table with one condition. docs/decisions/0020
 */
const CALENDAR_ENTRY = `
ALTER TABLE appointment RENAME TO calendar_entry;
ALTER TABLE calendar_entry
  ADD COLUMN hold_expires_at timestamptz(3),
  -- Who asked for it, as the timeline names them.
  ADD COLUMN held_by text,
  ALTER COLUMN patient_name DROP NOT NULL,
  ALTER COLUMN patient_phone_hash DROP NOT NULL,
  ALTER COLUMN source DROP NOT NULL,
  DROP CONSTRAINT appointment_status_check,
  DROP CONSTRAINT appointment_check1,
  ADD CONSTRAINT calendar_entry_status
    CHECK (status IN ('confirmed', 'attended', 'no_show', 'cancelled', 'rescheduled', 'held')) NOT VALID,
  ADD CONSTRAINT calendar_entry_blocks
    CHECK (NOT blocks OR status IN ('confirmed', 'attended', 'held')) NOT VALID,
  ADD CONSTRAINT calendar_entry_hold CHECK (
    CASE status
      WHEN 'held' THEN hold_expires_at IS NOT NULL AND held_by IS NOT NULL
      ELSE patient_name IS NOT NULL AND patient_phone_hash IS NOT NULL AND source IS NOT NULL
    END
  ) NOT VALID;
CREATE VIEW appointment AS SELECT ${COLUMNS} FROM calendar_entry WHERE status <> 'held';
`;

export class SlotHoldsMigration extends Migration {
  override up(): void {
    this.addSql(CALENDAR_ENTRY);
  }
}
