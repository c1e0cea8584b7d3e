import { wallAround } from './clinic-walls.ts';
import { NonBlockingMigration } from './non-blocking-migration.ts';

const COLUMNS = `
ALTER TABLE calendar_entry
  -- When the patient said that they will come.
  ADD COLUMN IF NOT EXISTS patient_confirmed_at timestamptz(3),
  -- The last reminder that was sent, by its hours before the start. Only one with fewer hours can follow.
  ADD COLUMN IF NOT EXISTS reminded_hours_before smallint;
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
  overlap, blocks_over,
  patient_confirmed_at, reminded_hours_before
FROM calendar_entry
WHERE status <> 'held';
`;

const SCAN = `
-- The clinics that want reminders, and how far the search for appointments to remind of has come.
CREATE TABLE IF NOT EXISTS reminder_scan (
  tenant_id uuid PRIMARY KEY REFERENCES tenant (id),
  -- Empty: none any more.
  hours_before smallint[] NOT NULL,
  -- Reminders that were due by then have been looked at. A change of the hours begins again.
  reached_at timestamptz(3) NOT NULL,
  -- When to look again; null while there is nothing to look for.
  check_at timestamptz(3),
  CHECK ((cardinality(hours_before) = 0) = (check_at IS NULL))
);
CREATE INDEX IF NOT EXISTS reminder_scan_due ON reminder_scan (check_at) WHERE check_at IS NOT NULL;
${wallAround('reminder_scan', { rights: 'SELECT, INSERT, UPDATE' })}
`;

/** Reminders of appointments, which are found by an index that lists have: a booking writes nothing for them. */
export class RemindersMigration extends NonBlockingMigration {
  override up(): void {
    for (const part of [COLUMNS, VIEW, SCAN]) this.addSql(part);
  }
}
