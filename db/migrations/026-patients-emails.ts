import { CLINIC_ROLE, GUEST_ROLE, isOwn, wallAround } from './clinic-walls.ts';
import { NonBlockingMigration } from './non-blocking-migration.ts';

const PATIENT_EMAIL = `
-- The address that a patient gave with an online booking, and what was mailed to it.
CREATE TABLE IF NOT EXISTS patient_email (
  -- The booked appointment, which names the visit in calendar files.
  booked_id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  -- The appointment that replaced it last.
  appointment_id uuid NOT NULL UNIQUE,
  -- Sealed.
  email text NOT NULL,
  language text NOT NULL CHECK (language IN ('en', 'pt')),
  -- When the next mail is due; null for none.
  due_at timestamptz(3),
  -- The state that the patient was told last.
  told_id uuid,
  told_status text CHECK (told_status IN ('confirmed', 'cancelled')),
  told_at timestamptz(3),
  -- The blocked time because of which reception asks the patient for another time, and when the patient was asked.
  block_id uuid,
  block_told_at timestamptz(3),
  -- When the mail server refused the address for good.
  refused_at timestamptz(3),
  keep_until timestamptz(3) NOT NULL,
  FOREIGN KEY (tenant_id, booked_id) REFERENCES calendar_entry (tenant_id, id),
  FOREIGN KEY (tenant_id, appointment_id) REFERENCES calendar_entry (tenant_id, id),
  CHECK (num_nulls(told_id, told_status, told_at) IN (0, 3)),
  CHECK (due_at IS NULL OR refused_at IS NULL)
);
CREATE INDEX IF NOT EXISTS patient_email_due ON patient_email (tenant_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS patient_email_by_age ON patient_email (keep_until);
${wallAround('patient_email', {
  rights: 'SELECT, INSERT, UPDATE, DELETE',
  // The API deletes what has expired, of every clinic. FOR UPDATE needs the right to update a column.
  admission: {
    rights: 'SELECT (booked_id, keep_until), UPDATE (keep_until), DELETE',
    rows: 'keep_until < clock_timestamp()',
  },
})}
-- Public pages write an address, and never read one.
ALTER POLICY own_clinics ON patient_email TO ${CLINIC_ROLE}, ${GUEST_ROLE} USING (${isOwn()}) WITH CHECK (${isOwn()});
GRANT
  INSERT,
  SELECT (booked_id, tenant_id, appointment_id, refused_at),
  UPDATE (appointment_id, keep_until, due_at)
ON patient_email TO ${GUEST_ROLE};
`;

/** In the database, because appointments are moved and cancelled by single commands, imports and patients. */
const TELL_OF_CHANGES = `
CREATE OR REPLACE FUNCTION tell_patient_of_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE patient_email
  SET appointment_id = NEW.id,
      keep_until = NEW.ends_at + interval '30 days',
      due_at = CASE WHEN refused_at IS NULL THEN clock_timestamp() END
  WHERE tenant_id = NEW.tenant_id
    AND appointment_id = CASE TG_OP WHEN 'INSERT' THEN NEW.rescheduled_from_id ELSE NEW.id END;
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER appointment_moved AFTER INSERT ON calendar_entry
FOR EACH ROW WHEN (NEW.rescheduled_from_id IS NOT NULL) EXECUTE FUNCTION tell_patient_of_change();
CREATE OR REPLACE TRIGGER appointment_cancelled AFTER UPDATE OF status ON calendar_entry
FOR EACH ROW WHEN (NEW.status = 'cancelled' AND OLD.status <> 'cancelled') EXECUTE FUNCTION tell_patient_of_change();
`;

/** As in `changed-patient.ts`: both name and phone have changed since the booking. */
const FORGET_FORMER_PATIENT = `
CREATE OR REPLACE FUNCTION forget_former_patient() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH RECURSIVE earlier AS (
    SELECT id, rescheduled_from_id, 0 AS moves
    FROM calendar_entry
    WHERE tenant_id = NEW.tenant_id AND id = NEW.appointment_id
    UNION ALL
    SELECT entry.id, entry.rescheduled_from_id, moves + 1
    FROM earlier
    JOIN calendar_entry entry ON entry.tenant_id = NEW.tenant_id AND entry.id = earlier.rescheduled_from_id
    WHERE moves < 1000
  )
  DELETE FROM patient_email
  WHERE tenant_id = NEW.tenant_id
    AND booked_id IN (SELECT id FROM earlier)
    AND (
      SELECT bool_or(changes -> 'fields' ? 'patientName') AND bool_or(changes -> 'fields' ? 'patientPhone')
      FROM appointment_change
      WHERE tenant_id = NEW.tenant_id
        AND appointment_id IN (SELECT id FROM earlier)
    );
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER patient_changed AFTER INSERT ON appointment_change
FOR EACH ROW WHEN (NEW.changes -> 'fields' ?| ARRAY['patientName', 'patientPhone'])
EXECUTE FUNCTION forget_former_patient();
`;

/** Patients who gave an e-mail address are told about their appointments. */
export class PatientsEmailsMigration extends NonBlockingMigration {
  override up(): void {
    for (const part of [PATIENT_EMAIL, TELL_OF_CHANGES, FORGET_FORMER_PATIENT]) this.addSql(part);
  }
}
