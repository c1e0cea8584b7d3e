import { Migration } from '@mikro-orm/migrations';

const FUNCTIONS = `
CREATE EXTENSION IF NOT EXISTS btree_gist;

-- A time-ordered id for rows that SQL creates itself (RFC 9562, version 7).
CREATE FUNCTION uuid_v7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        PLACING substring(int8send(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
        FROM 1 FOR 6),
      52, 1), 53, 1),
    'hex')::uuid
$$;
`;

const CLINIC = `
CREATE TABLE tenant (
  id uuid PRIMARY KEY,
  identity_org_id text NOT NULL,
  name text NOT NULL,
  legal_name text,
  nif text,
  address text,
  postal_code text,
  city text,
  country text NOT NULL,
  email text,
  phone text,
  specialty text NOT NULL CHECK (specialty IN ('dental', 'medical', 'physio', 'aesthetic', 'other')),
  public_slug text,
  public_booking_enabled boolean NOT NULL DEFAULT false,
  plan text NOT NULL DEFAULT 'basic' CHECK (plan IN ('basic', 'pro', 'clinica_plus', 'enterprise')),
  status text NOT NULL DEFAULT 'trial' CHECK (status IN ('trial', 'active', 'past_due', 'canceled')),
  trial_ends_at timestamptz(3),
  config jsonb NOT NULL DEFAULT '{}',
  referral_code text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT tenant_public_slug UNIQUE (public_slug)
);

CREATE TABLE api_key (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES tenant (id),
  public_id text NOT NULL UNIQUE,
  name text NOT NULL,
  secret_hash bytea NOT NULL,
  scopes text[] NOT NULL,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX api_key_of_tenant ON api_key (tenant_id, id);

CREATE TABLE professional (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES tenant (id),
  name text NOT NULL,
  title text,
  specialty text NOT NULL,
  bio text,
  photo_url text,
  email text,
  metadata jsonb NOT NULL DEFAULT '{}',
  active boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (tenant_id, id)
);

CREATE TABLE service_type (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES tenant (id),
  name text NOT NULL,
  description text,
  duration_minutes integer NOT NULL CHECK (duration_minutes BETWEEN 1 AND 1440),
  buffer_minutes integer NOT NULL DEFAULT 0 CHECK (buffer_minutes BETWEEN 0 AND 1440),
  price_eur numeric(10, 2),
  active boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (tenant_id, id)
);

-- Who offers a service. A service without a row here is offered by everybody.
CREATE TABLE service_eligibility (
  tenant_id uuid NOT NULL,
  service_type_id uuid NOT NULL,
  professional_id uuid NOT NULL,
  PRIMARY KEY (service_type_id, professional_id),
  FOREIGN KEY (tenant_id, service_type_id) REFERENCES service_type (tenant_id, id),
  FOREIGN KEY (tenant_id, professional_id) REFERENCES professional (tenant_id, id)
);
`;

const APPOINTMENT = `
CREATE TABLE appointment (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES tenant (id),
  professional_id uuid NOT NULL,
  service_type_id uuid,
  patient_name text NOT NULL,
  patient_phone_hash text NOT NULL,
  starts_at timestamptz(3) NOT NULL,
  ends_at timestamptz(3) NOT NULL,
  block_from timestamptz(3) NOT NULL,
  block_until timestamptz(3) NOT NULL,
  -- Turns false with no_show, cancelled and rescheduled and never back: the slot may have been given away.
  blocks boolean NOT NULL DEFAULT true,
  status text NOT NULL DEFAULT 'confirmed'
    CHECK (status IN ('confirmed', 'attended', 'no_show', 'cancelled', 'rescheduled')),
  source text NOT NULL CHECK (source IN ('voice_ai', 'manual', 'self_service', 'sync_external')),
  patient_notes text,
  metadata jsonb,
  external_id text,
  cancellation_reason text CHECK (cancellation_reason IN ('patient_requested', 'clinic_cancelled', 'auto')),
  checked_in_at timestamptz(3),
  rescheduled_to_id uuid,
  rescheduled_from_id uuid,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (tenant_id, id),
  CHECK (starts_at < ends_at AND block_from <= starts_at AND ends_at <= block_until),
  CHECK (NOT blocks OR status IN ('confirmed', 'attended')),
  FOREIGN KEY (tenant_id, professional_id) REFERENCES professional (tenant_id, id),
  FOREIGN KEY (tenant_id, service_type_id) REFERENCES service_type (tenant_id, id),
  FOREIGN KEY (tenant_id, rescheduled_to_id) REFERENCES appointment (tenant_id, id) DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY (tenant_id, rescheduled_from_id) REFERENCES appointment (tenant_id, id),
  CONSTRAINT appointment_slot EXCLUDE USING gist (
    professional_id WITH =,
    tstzrange(block_from, block_until, '[)') WITH &&
  ) WHERE (blocks)
);
CREATE UNIQUE INDEX appointment_external_id ON appointment (tenant_id, external_id)
  WHERE external_id IS NOT NULL AND status NOT IN ('cancelled', 'rescheduled');
CREATE INDEX appointment_by_start ON appointment (tenant_id, starts_at, id);
CREATE INDEX appointment_by_update ON appointment (tenant_id, updated_at, id);
CREATE INDEX appointment_by_patient ON appointment (tenant_id, patient_phone_hash, starts_at);
CREATE INDEX appointment_awaiting_check_in ON appointment (starts_at) WHERE status = 'confirmed';

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
  FOREIGN KEY (tenant_id, appointment_id) REFERENCES appointment (tenant_id, id)
);
CREATE INDEX appointment_change_of_appointment ON appointment_change (appointment_id, id);
`;

const WEBHOOK = `
CREATE TABLE webhook_endpoint (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES tenant (id),
  url text NOT NULL,
  description text,
  events text[] NOT NULL,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'failing', 'deactivated', 'disabled')),
  failing_since timestamptz(3),
  deactivate_at timestamptz(3),
  deleted_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (tenant_id, id)
);
CREATE INDEX webhook_endpoint_of_tenant ON webhook_endpoint (tenant_id, id) WHERE deleted_at IS NULL;

-- More than one while a rotation overlaps; ciphertext under ENCRYPTION_KEY, bound to the endpoint.
CREATE TABLE webhook_secret (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  ciphertext text NOT NULL,
  expires_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  FOREIGN KEY (tenant_id, endpoint_id) REFERENCES webhook_endpoint (tenant_id, id)
);
CREATE INDEX webhook_secret_of_endpoint ON webhook_secret (endpoint_id, id);

-- The body is signed to the byte, so it is text, never jsonb.
CREATE TABLE webhook_event (
  id text PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES tenant (id),
  type text NOT NULL,
  body text NOT NULL,
  appointment_id uuid,
  created_at timestamptz(3) NOT NULL,
  UNIQUE (tenant_id, id),
  FOREIGN KEY (tenant_id, appointment_id) REFERENCES appointment (tenant_id, id)
);
CREATE INDEX webhook_event_by_time ON webhook_event (tenant_id, created_at, id);
CREATE INDEX webhook_event_of_appointment ON webhook_event (appointment_id) WHERE appointment_id IS NOT NULL;

CREATE TABLE webhook_delivery (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  event_id text NOT NULL,
  endpoint_id uuid NOT NULL,
  event_type text NOT NULL,
  appointment_id uuid,
  -- 0 for the delivery that the event caused; resends count up and name what they repeat.
  resend_number integer NOT NULL DEFAULT 0,
  resend_of uuid REFERENCES webhook_delivery (id),
  workflow_id text NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'retrying', 'succeeded', 'failed', 'skipped')),
  attempt_count integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (event_id, endpoint_id, resend_number),
  CHECK ((next_attempt_at IS NOT NULL) = (status IN ('pending', 'retrying'))),
  FOREIGN KEY (tenant_id, event_id) REFERENCES webhook_event (tenant_id, id),
  FOREIGN KEY (tenant_id, endpoint_id) REFERENCES webhook_endpoint (tenant_id, id)
);
CREATE INDEX webhook_delivery_by_time ON webhook_delivery (tenant_id, id);
CREATE INDEX webhook_delivery_of_endpoint ON webhook_delivery (endpoint_id, id);
CREATE INDEX webhook_delivery_open ON webhook_delivery (endpoint_id) WHERE status IN ('pending', 'retrying');
CREATE INDEX webhook_delivery_of_appointment ON webhook_delivery (appointment_id)
  WHERE appointment_id IS NOT NULL;

CREATE TABLE webhook_attempt (
  delivery_id uuid NOT NULL REFERENCES webhook_delivery (id),
  number integer NOT NULL CHECK (number >= 1),
  started_at timestamptz(3) NOT NULL,
  duration_ms integer NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('succeeded', 'failed')),
  error_class text,
  response_status integer,
  response_excerpt text,
  PRIMARY KEY (delivery_id, number),
  CHECK ((error_class IS NULL) = (outcome = 'succeeded'))
);
`;

const OUTBOX = `
CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Rows with one key are carried out in the order of their ids.
  ordering_key text,
  message jsonb NOT NULL,
  failures integer NOT NULL DEFAULT 0,
  last_error text,
  -- Claimed or backing off until then.
  available_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX outbox_order ON outbox (ordering_key, id) WHERE ordering_key IS NOT NULL;
`;

export class CoreMigration extends Migration {
  override up(): void {
    for (const part of [FUNCTIONS, CLINIC, APPOINTMENT, WEBHOOK, OUTBOX]) this.addSql(part);
  }
}
