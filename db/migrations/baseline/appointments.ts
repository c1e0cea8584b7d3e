import { CLINIC_ROLE, isInClinicScope, wallAround } from '../clinic-walls.ts';

/**
 * A hold is a row beside appointments, under the same exclusion of slots, and no one's appointment: whatever reads or writes
 * the view `appointment` sees none. What the view leaves to its table (defaults, locks, ON CONFLICT) works as on the table
 * itself, because it is one table with one condition. docs/decisions/0020
 */
const CALENDAR_ENTRY = `
CREATE TABLE calendar_entry (
  id uuid CONSTRAINT appointment_pkey PRIMARY KEY,
  tenant_id uuid NOT NULL CONSTRAINT appointment_tenant_id_fkey REFERENCES tenant (id),
  professional_id uuid NOT NULL,
  service_type_id uuid,
  -- The call in which it was made.
  call_id uuid,
  external_id text,
  -- Sealed, and found by the hashes beside it: docs/decisions/0025
  patient_name text,
  name_hash text,
  name_tokens bigint[],
  patient_phone_hash text,
  -- The number by which the clinic's other system knows the patient.
  patient_external_id text,
  starts_at timestamptz(3) NOT NULL,
  ends_at timestamptz(3) NOT NULL,
  -- Whether it was given its end itself, so that its service's duration does not matter.
  own_length boolean NOT NULL DEFAULT false,
  block_from timestamptz(3) NOT NULL,
  block_until timestamptz(3) NOT NULL,
  -- Turns false with no_show, cancelled and rescheduled and never back: the slot may have been given away.
  blocks boolean NOT NULL DEFAULT true,
  status text NOT NULL DEFAULT 'confirmed',
  source text CONSTRAINT appointment_source_check
    CHECK (source IN ('voice_ai', 'manual', 'self_service', 'sync_external')),
  patient_notes text,
  metadata jsonb,
  cancellation_reason text CONSTRAINT appointment_cancellation_reason_check
    CHECK (cancellation_reason IN ('patient_requested', 'clinic_cancelled', 'auto')),
  checked_in_at timestamptz(3),
  -- When it was made valid again: the patient is awaited from then on.
  reinstated_at timestamptz(3),
  rescheduled_to_id uuid,
  rescheduled_from_id uuid,
  hold_expires_at timestamptz(3),
  -- Who asked for a hold, as the timeline names them.
  held_by text,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT appointment_key UNIQUE (tenant_id, id),
  CONSTRAINT appointment_check CHECK (starts_at < ends_at AND block_from <= starts_at AND ends_at <= block_until),
  CONSTRAINT calendar_entry_status
    CHECK (status IN ('confirmed', 'attended', 'no_show', 'cancelled', 'rescheduled', 'held')),
  CONSTRAINT calendar_entry_blocks CHECK (NOT blocks OR status IN ('confirmed', 'attended', 'held')),
  CONSTRAINT calendar_entry_hold CHECK (
    CASE status
      WHEN 'held' THEN hold_expires_at IS NOT NULL AND held_by IS NOT NULL
      ELSE patient_name IS NOT NULL AND patient_phone_hash IS NOT NULL AND source IS NOT NULL
    END
  ),
  -- Who was erased is found by nothing.
  CONSTRAINT calendar_entry_name_hashed
    CHECK (num_nulls(name_hash, name_tokens) = CASE WHEN status = 'held' OR patient_name = 'erased' THEN 2 ELSE 0 END),
  CONSTRAINT appointment_tenant_id_professional_id_fkey
    FOREIGN KEY (tenant_id, professional_id) REFERENCES professional (tenant_id, id),
  CONSTRAINT appointment_tenant_id_service_type_id_fkey
    FOREIGN KEY (tenant_id, service_type_id) REFERENCES service_type (tenant_id, id),
  CONSTRAINT appointment_call FOREIGN KEY (tenant_id, call_id) REFERENCES call (tenant_id, id),
  -- The original names its replacement before that is inserted, because the slot has to be free by then.
  CONSTRAINT appointment_tenant_id_rescheduled_to_id_fkey
    FOREIGN KEY (tenant_id, rescheduled_to_id) REFERENCES calendar_entry (tenant_id, id) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT appointment_tenant_id_rescheduled_from_id_fkey
    FOREIGN KEY (tenant_id, rescheduled_from_id) REFERENCES calendar_entry (tenant_id, id),
  CONSTRAINT appointment_slot EXCLUDE USING gist (
    professional_id WITH =,
    tstzrange(block_from, block_until, '[)') WITH &&
  ) WHERE (blocks)
);
${wallAround('calendar_entry', {
  rights: 'SELECT, INSERT, UPDATE, DELETE',
  admission: {
    rights: 'SELECT (id, status, hold_expires_at), UPDATE (hold_expires_at), DELETE',
    rows: `status = 'held'`,
  },
})}

-- Each filter of a list finds its page by one of these, however many rows the clinic has. Confirmed ones, which are most,
-- are found by their start.
CREATE INDEX appointment_by_start ON calendar_entry (tenant_id, starts_at, id);
CREATE INDEX appointment_by_update ON calendar_entry (tenant_id, updated_at, id);
CREATE INDEX appointment_by_patient ON calendar_entry (tenant_id, patient_phone_hash, starts_at);
CREATE INDEX appointment_by_patient_external_id ON calendar_entry (tenant_id, patient_external_id, starts_at, id)
  WHERE patient_external_id IS NOT NULL;
CREATE INDEX appointment_by_external_id ON calendar_entry (tenant_id, external_id, starts_at, id)
  WHERE external_id IS NOT NULL;
CREATE INDEX appointment_with_status ON calendar_entry (tenant_id, status, starts_at, id);
-- With the clinic, though no professional has two: PostgreSQL multiplies how rare a clinic is, which the wall asks for a
-- second time, with how rare a professional is, and would read all of both rather than the latest of one. docs/scale.md
CREATE INDEX appointment_with_professional ON calendar_entry (professional_id, tenant_id, starts_at, id);
CREATE INDEX appointment_of_call ON calendar_entry (call_id, id) WHERE call_id IS NOT NULL;
CREATE UNIQUE INDEX appointment_external_id ON calendar_entry (tenant_id, external_id)
  WHERE external_id IS NOT NULL AND status NOT IN ('cancelled', 'rescheduled');
-- For reconciliation, which reads it in pages.
CREATE INDEX appointment_confirmed ON calendar_entry (starts_at, id) WHERE status = 'confirmed';
`;

/** The first keeps to the walls of its table, the second, which shows times alone, has its own. */
const VIEWS = `
CREATE VIEW appointment WITH (security_invoker = true) AS
SELECT
  id, tenant_id, professional_id, service_type_id, call_id, external_id, patient_name, name_hash, name_tokens,
  patient_phone_hash, patient_external_id, starts_at, ends_at, own_length, block_from, block_until, blocks, status,
  source, patient_notes, metadata, cancellation_reason, checked_in_at, reinstated_at, rescheduled_to_id,
  rescheduled_from_id, version, created_at, updated_at
FROM calendar_entry
WHERE status <> 'held';
GRANT SELECT, INSERT, UPDATE, DELETE ON appointment TO ${CLINIC_ROLE};

CREATE VIEW taken_time AS
SELECT id, tenant_id, professional_id, status, hold_expires_at, block_from, block_until
FROM calendar_entry
WHERE blocks AND ${isInClinicScope()};
GRANT SELECT ON taken_time TO ${CLINIC_ROLE};
`;

const TIMELINE = `
CREATE TABLE appointment_change (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id uuid NOT NULL,
  appointment_id uuid NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  kind text NOT NULL,
  actor text NOT NULL,
  request_id uuid,
  changes jsonb NOT NULL,
  event_id text,
  FOREIGN KEY (tenant_id, appointment_id) REFERENCES calendar_entry (tenant_id, id)
);
CREATE INDEX appointment_change_of_appointment ON appointment_change (appointment_id, id);
${wallAround('appointment_change', { rights: 'SELECT, INSERT' })}
`;

const ANSWERS_OF_PATIENTS = `
CREATE TABLE nps_response (
  appointment_id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  score integer NOT NULL CHECK (score BETWEEN 0 AND 10),
  comment text,
  created_at timestamptz(3) NOT NULL,
  FOREIGN KEY (tenant_id, appointment_id) REFERENCES calendar_entry (tenant_id, id)
);
${wallAround('nps_response', { rights: 'SELECT, INSERT' })}

CREATE TABLE triage_form (
  appointment_id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  answers jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  FOREIGN KEY (tenant_id, appointment_id) REFERENCES calendar_entry (tenant_id, id)
);
${wallAround('triage_form', { rights: 'SELECT, INSERT' })}
`;

export const APPOINTMENTS = [CALENDAR_ENTRY, VIEWS, TIMELINE, ANSWERS_OF_PATIENTS].join('');
