import { wallAround } from '../clinic-walls.ts';

export const RECALL = `
-- The last visit for which a patient was called back, for ever: for what stands here nothing is sent again.
CREATE TABLE recalled_visit (
  tenant_id uuid NOT NULL,
  appointment_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, appointment_id),
  FOREIGN KEY (tenant_id, appointment_id) REFERENCES calendar_entry (tenant_id, id)
);
${wallAround('recalled_visit', { rights: 'SELECT' })}

-- The same by phone and time, for whoever asks what is known of a patient, also when the visit is gone.
CREATE TABLE recall (
  tenant_id uuid NOT NULL REFERENCES tenant (id),
  patient_phone_hash text NOT NULL,
  last_visit_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, patient_phone_hash, last_visit_at)
);
${wallAround('recall', { rights: 'SELECT' })}

-- How far the search for recalls has come in a clinic.
CREATE TABLE recall_scan (
  tenant_id uuid PRIMARY KEY REFERENCES tenant (id),
  -- The local date of the last search that came to its end.
  recall_scanned_on date,
  -- The local date on which the search under way began, and the key of the last patient it has looked at.
  scanning_on date,
  reached_key text,
  CHECK ((scanning_on IS NULL) = (reached_key IS NULL))
);
${wallAround('recall_scan', { rights: 'SELECT' })}
`;
