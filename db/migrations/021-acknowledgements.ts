import { NonBlockingMigration } from './non-blocking-migration.ts';

const COLUMNS = `
ALTER TABLE calendar_entry
  -- The latest version that the clinic's other system has answered about, and what it answered.
  ADD COLUMN IF NOT EXISTS acknowledged_version integer,
  ADD COLUMN IF NOT EXISTS acknowledged_state text,
  ADD COLUMN IF NOT EXISTS acknowledged_at timestamptz(3),
  -- Sealed: it can name the patient.
  ADD COLUMN IF NOT EXISTS refusal_reason text,
  -- The version that was reported as not written, until it is written.
  ADD COLUMN IF NOT EXISTS unacknowledged_version integer,
  -- The latest version that an import has written: the other system has it already.
  ADD COLUMN IF NOT EXISTS imported_version integer;
ALTER TABLE calendar_entry DROP CONSTRAINT IF EXISTS calendar_entry_acknowledged;
ALTER TABLE calendar_entry ADD CONSTRAINT calendar_entry_acknowledged CHECK (
  CASE acknowledged_state
    WHEN 'refused' THEN num_nulls(acknowledged_version, acknowledged_at) = 0
    WHEN 'written' THEN num_nulls(acknowledged_version, acknowledged_at) = 0 AND refusal_reason IS NULL
    ELSE acknowledged_state IS NULL AND num_nonnulls(acknowledged_version, acknowledged_at, refusal_reason) = 0
  END
) NOT VALID;
`;

const VIEW = `
CREATE OR REPLACE VIEW appointment WITH (security_invoker = true) AS
SELECT
  id, tenant_id, professional_id, service_type_id, call_id, external_id, patient_name, name_hash, name_tokens,
  patient_phone_hash, patient_external_id, starts_at, ends_at, own_length, block_from, block_until, blocks, status,
  source, patient_notes, metadata, cancellation_reason, checked_in_at, reinstated_at, rescheduled_to_id,
  rescheduled_from_id, version, created_at, updated_at,
  acknowledged_version, acknowledged_state, acknowledged_at, refusal_reason, unacknowledged_version, imported_version
FROM calendar_entry
WHERE status <> 'held';
`;

/** Whether the clinic's other system has written an appointment. */
export class AcknowledgementsMigration extends NonBlockingMigration {
  override up(): void {
    this.addSql(COLUMNS);
    this.addSql('ALTER TABLE calendar_entry VALIDATE CONSTRAINT calendar_entry_acknowledged');
    this.addSql(VIEW);
    // No index has the acknowledged columns: then PostgreSQL can update a row in its page without touching any index.
    this.buildIndex(
      'appointment_unacknowledged',
      'ON calendar_entry (tenant_id, starts_at, id) WHERE unacknowledged_version = version',
    );
  }
}
