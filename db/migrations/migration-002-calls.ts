import { Migration } from '@mikro-orm/migrations';

/** Both numbers are ciphertext under ENCRYPTION_KEY, bound to the call; the hash finds the calls of a patient. */
const CALL = `
CREATE TABLE call (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES tenant (id),
  telephony_call_control_id text,
  from_number_sealed text NOT NULL,
  to_number_sealed text NOT NULL,
  from_number_hash text NOT NULL,
  status text NOT NULL DEFAULT 'in_progress' CHECK (status IN ('in_progress', 'completed')),
  outcome text
    CHECK (outcome IN ('booking_created', 'info_only', 'handoff_to_human', 'voicemail', 'abandoned')),
  started_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  transcription_word_count integer CHECK (transcription_word_count >= 0),
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (tenant_id, id),
  CHECK (ended_at >= started_at),
  CHECK ((status = 'completed') = (ended_at IS NOT NULL)),
  CHECK ((status = 'completed') = (outcome IS NOT NULL))
);
CREATE INDEX call_by_start ON call (tenant_id, started_at, id);
CREATE INDEX call_by_outcome ON call (tenant_id, outcome, started_at, id);
CREATE INDEX call_by_caller ON call (tenant_id, from_number_hash, started_at);

CREATE TABLE call_event (
  id uuid PRIMARY KEY DEFAULT uuid_v7(),
  tenant_id uuid NOT NULL,
  call_id uuid NOT NULL,
  sequence integer NOT NULL CHECK (sequence >= 0),
  event_type text NOT NULL
    CHECK (event_type IN ('speech', 'tool_call', 'tool_result', 'transcription_final')),
  transcript text,
  tool_name text,
  tool_input jsonb,
  tool_output jsonb,
  occurred_at timestamptz(3) NOT NULL,
  UNIQUE (call_id, sequence),
  FOREIGN KEY (tenant_id, call_id) REFERENCES call (tenant_id, id)
);

-- At most one for each call. A replaced recording gets a new id, and so ends the links that name the old one.
CREATE TABLE call_recording (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  call_id uuid NOT NULL UNIQUE,
  content_type text NOT NULL,
  size_bytes integer NOT NULL CHECK (size_bytes > 0),
  sha256 bytea NOT NULL,
  uploaded_at timestamptz(3) NOT NULL,
  FOREIGN KEY (tenant_id, call_id) REFERENCES call (tenant_id, id)
);
`;

const ANSWERS_OF_PATIENTS = `
CREATE TABLE nps_response (
  appointment_id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  score integer NOT NULL CHECK (score BETWEEN 0 AND 10),
  comment text,
  created_at timestamptz(3) NOT NULL,
  FOREIGN KEY (tenant_id, appointment_id) REFERENCES appointment (tenant_id, id)
);

CREATE TABLE triage_form (
  appointment_id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  answers jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  FOREIGN KEY (tenant_id, appointment_id) REFERENCES appointment (tenant_id, id)
);
`;

export class CallsMigration extends Migration {
  override up(): void {
    this.addSql(CALL);
    this.addSql(ANSWERS_OF_PATIENTS);
  }
}
