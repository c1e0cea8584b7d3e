import { CLINIC_ROLE, wallAround } from './clinic-walls.ts';
import { NonBlockingMigration } from './non-blocking-migration.ts';

const COLUMNS = `
ALTER TABLE calendar_entry
  -- The latest version that the clinic's other system has answered about, and what it answered.
  ADD COLUMN IF NOT EXISTS acknowledged_version integer,
  ADD COLUMN IF NOT EXISTS acknowledged_state text,
  ADD COLUMN IF NOT EXISTS acknowledged_at timestamptz(3),
  -- As the timeline names them.
  ADD COLUMN IF NOT EXISTS acknowledged_by text,
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
  acknowledged_version, acknowledged_state, acknowledged_at, refusal_reason, unacknowledged_version, imported_version,
  acknowledged_by
FROM calendar_entry
WHERE status <> 'held';
`;

const NOTIFICATION = `
ALTER TABLE notification
  ALTER COLUMN endpoint_id DROP NOT NULL,
  ALTER COLUMN endpoint_url DROP NOT NULL,
  ALTER COLUMN deactivate_at DROP NOT NULL,
  ADD COLUMN IF NOT EXISTS appointment_id uuid,
  -- The version that was not written.
  ADD COLUMN IF NOT EXISTS appointment_version integer,
  DROP CONSTRAINT IF EXISTS notification_kind_check,
  DROP CONSTRAINT IF EXISTS notification_mail_check,
  DROP CONSTRAINT IF EXISTS notification_about,
  DROP CONSTRAINT IF EXISTS notification_appointment;
ALTER TABLE notification
  ADD CONSTRAINT notification_kind_check
    CHECK (kind IN ('endpoint_failing', 'endpoint_deactivated', 'appointment_unacknowledged')) NOT VALID,
  ADD CONSTRAINT notification_mail_check
    CHECK (mail IN ('due', 'queued', 'sent', 'no_address', 'sent_recently', 'refused', 'no_server')) NOT VALID,
  ADD CONSTRAINT notification_about CHECK (
    CASE kind
      WHEN 'appointment_unacknowledged' THEN num_nulls(appointment_id, appointment_version) = 0
      ELSE num_nulls(endpoint_id, endpoint_url) = 0
    END
  ) NOT VALID,
  ADD CONSTRAINT notification_appointment
    FOREIGN KEY (tenant_id, appointment_id) REFERENCES calendar_entry (tenant_id, id) NOT VALID;
GRANT INSERT ON notification TO ${CLINIC_ROLE};
`;

const WATCH = `
-- The clinics that have asked to be told of appointments that their other system has not written in time.
CREATE TABLE IF NOT EXISTS acknowledgement_watch (
  tenant_id uuid PRIMARY KEY REFERENCES tenant (id),
  -- Null: not any more.
  within_minutes integer,
  -- The last version that was checked, by its time and appointment.
  reached_at timestamptz(3) NOT NULL,
  reached_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  -- When to look again; null while it is off.
  check_at timestamptz(3),
  -- When the next mail is due; null for none.
  mail_at timestamptz(3),
  mailed_at timestamptz(3),
  CHECK ((within_minutes IS NULL) = (check_at IS NULL))
);
CREATE INDEX IF NOT EXISTS acknowledgement_watch_due ON acknowledgement_watch (check_at) WHERE check_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS acknowledgement_watch_mail ON acknowledgement_watch (mail_at) WHERE mail_at IS NOT NULL;
${wallAround('acknowledgement_watch', { rights: 'SELECT, INSERT, UPDATE' })}
`;

const NOTIFICATION_CHECKS = [
  'notification_kind_check',
  'notification_mail_check',
  'notification_about',
  'notification_appointment',
];

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
    this.addSql(NOTIFICATION);
    for (const check of NOTIFICATION_CHECKS)
      this.addSql(`ALTER TABLE notification VALIDATE CONSTRAINT ${check}`);
    // A version is reported once.
    this.buildIndex(
      'notification_of_version',
      'ON notification (appointment_id, appointment_version) WHERE appointment_id IS NOT NULL',
      { isUnique: true },
    );
    this.buildIndex('notification_queued', "ON notification (tenant_id, id) WHERE mail = 'queued'");
    this.addSql(WATCH);
  }
}
