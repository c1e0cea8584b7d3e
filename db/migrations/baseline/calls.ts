import { wallAround } from '../clinic-walls.ts';

const CALL = `
CREATE TABLE call (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES tenant (id),
  telephony_call_control_id text,
  -- Both numbers are sealed, bound to the call; the hashes find the calls of a patient, and those made to one.
  from_number_sealed text NOT NULL,
  from_number_hash text NOT NULL,
  to_number_sealed text NOT NULL,
  to_number_hash text NOT NULL,
  status text NOT NULL DEFAULT 'in_progress' CHECK (status IN ('in_progress', 'completed')),
  outcome text
    CHECK (outcome IN ('booking_created', 'info_only', 'handoff_to_human', 'voicemail', 'abandoned')),
  started_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  transcription_word_count integer CHECK (transcription_word_count >= 0),
  metadata jsonb NOT NULL DEFAULT '{}',
  -- Who of the clinic has called the caller back, and when.
  called_back_at timestamptz(3),
  called_back_by text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT call_key UNIQUE (tenant_id, id),
  CHECK (ended_at >= started_at),
  CHECK ((status = 'completed') = (ended_at IS NOT NULL)),
  CHECK ((status = 'completed') = (outcome IS NOT NULL)),
  CONSTRAINT call_called_back CHECK ((called_back_at IS NULL) = (called_back_by IS NULL))
);
CREATE INDEX call_by_start ON call (tenant_id, started_at, id);
CREATE INDEX call_by_outcome ON call (tenant_id, outcome, started_at, id);
CREATE INDEX call_by_caller ON call (tenant_id, from_number_hash, started_at);
CREATE INDEX call_by_callee ON call (tenant_id, to_number_hash, started_at);
CREATE INDEX call_to_return ON call (tenant_id, started_at, id)
  WHERE called_back_at IS NULL AND outcome IN ('handoff_to_human', 'voicemail', 'abandoned');
${wallAround('call', { rights: 'SELECT, INSERT, UPDATE' })}

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
-- For retention: what was said and has not gone yet.
CREATE INDEX call_event_with_words ON call_event (tenant_id, occurred_at)
  WHERE transcript IS NOT NULL OR tool_input IS NOT NULL OR tool_output IS NOT NULL;
${wallAround('call_event', { rights: 'SELECT, INSERT' })}
`;

const RECORDING = `
-- At most one for each call. A replaced recording gets a new id, and so ends the links that name the old one.
CREATE TABLE call_recording (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  call_id uuid NOT NULL UNIQUE,
  content_type text NOT NULL,
  size_bytes integer NOT NULL CHECK (size_bytes > 0),
  sha256 bytea NOT NULL,
  -- The key of its bytes, sealed.
  key_sealed text,
  uploaded_at timestamptz(3) NOT NULL,
  FOREIGN KEY (tenant_id, call_id) REFERENCES call (tenant_id, id)
);
CREATE INDEX call_recording_by_upload ON call_recording (tenant_id, uploaded_at);
${wallAround('call_recording', {
  rights: 'SELECT, INSERT, DELETE',
  admission: { rights: 'SELECT (id, tenant_id)' },
})}

-- Bytes in the recording storage that no call is to have: of a recording that was erased or replaced, due at once, and of
-- one that is being uploaded, due when no upload can last any longer. The upload's own transaction takes its line out.
CREATE TABLE recording_removal (
  recording_id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES tenant (id),
  due_at timestamptz(3) NOT NULL
);
CREATE INDEX recording_removal_due ON recording_removal (due_at);
${wallAround('recording_removal', {
  rights: 'SELECT, INSERT, DELETE',
  admission: { rights: 'SELECT, UPDATE (due_at), DELETE' },
})}
`;

export const CALLS = [CALL, RECORDING].join('');
