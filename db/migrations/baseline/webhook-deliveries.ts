import { wallAround } from '../clinic-walls.ts';

const EVENT = `
CREATE TABLE webhook_event (
  id text PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES tenant (id),
  type text NOT NULL,
  -- Signed to the byte, so it is text, never jsonb. Null when it is no longer kept.
  body text,
  appointment_id uuid,
  -- The trace of what caused it, so that its deliveries go on in it.
  trace_parent text,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT webhook_event_key UNIQUE (tenant_id, id),
  FOREIGN KEY (tenant_id, appointment_id) REFERENCES calendar_entry (tenant_id, id)
);
CREATE INDEX webhook_event_by_time ON webhook_event (tenant_id, created_at, id);
CREATE INDEX webhook_event_of_type ON webhook_event (tenant_id, type, created_at, id);
CREATE INDEX webhook_event_of_appointment ON webhook_event (appointment_id) WHERE appointment_id IS NOT NULL;
-- Finds the events whose body is sealed, to seal them anew.
CREATE INDEX webhook_event_sealed ON webhook_event (tenant_id, id) WHERE left(body, 1) <> '{';
-- For retention, here and below: what has been kept long enough is found by what has not gone yet. docs/decisions/0015
CREATE INDEX webhook_event_with_body ON webhook_event (tenant_id, created_at, id) WHERE body IS NOT NULL;
${wallAround('webhook_event', {
  // Held while it is sent again, for which some column has to be one that may be changed.
  rights: 'SELECT, INSERT, UPDATE (id)',
})}
`;

const DELIVERY = `
CREATE TABLE webhook_delivery (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  event_id text NOT NULL,
  endpoint_id uuid NOT NULL,
  event_type text NOT NULL,
  appointment_id uuid,
  -- Where its last attempt was sent, also after its endpoint moved; until then where that was when it was made.
  url text,
  -- 0 for the delivery that the event caused; resends count up and name what they repeat.
  resend_number integer NOT NULL DEFAULT 0,
  resend_of uuid REFERENCES webhook_delivery (id),
  workflow_id text NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'retrying', 'succeeded', 'failed', 'skipped')),
  attempt_count integer NOT NULL DEFAULT 0,
  -- Of its last attempt that failed.
  last_error_class text,
  next_attempt_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (event_id, endpoint_id, resend_number),
  CHECK ((next_attempt_at IS NOT NULL) = (status IN ('pending', 'retrying'))),
  FOREIGN KEY (tenant_id, event_id) REFERENCES webhook_event (tenant_id, id),
  FOREIGN KEY (tenant_id, endpoint_id) REFERENCES webhook_endpoint (tenant_id, id)
);
${wallAround('webhook_delivery', { rights: 'SELECT, INSERT, UPDATE' })}

-- Each filter of a list finds its page by one of these, however many rows the clinic has.
CREATE INDEX webhook_delivery_by_time ON webhook_delivery (tenant_id, id);
CREATE INDEX webhook_delivery_of_type ON webhook_delivery (tenant_id, event_type, id);
CREATE INDEX webhook_delivery_with_status ON webhook_delivery (tenant_id, status, id);
CREATE INDEX webhook_delivery_with_error ON webhook_delivery (tenant_id, last_error_class, id)
  WHERE last_error_class IS NOT NULL;
CREATE INDEX webhook_delivery_of_appointment ON webhook_delivery (appointment_id) WHERE appointment_id IS NOT NULL;
-- With the clinic, though no endpoint has two, as appointment_with_professional has it: without, PostgreSQL took 43 ms in a
-- clinic with 100,000 deliveries.
CREATE INDEX webhook_delivery_at_endpoint ON webhook_delivery (endpoint_id, tenant_id, id);
-- The last failures of an endpoint are found without a look at what succeeded.
CREATE INDEX webhook_delivery_failed_at_endpoint ON webhook_delivery (endpoint_id, id)
  WHERE last_error_class IS NOT NULL;
-- For reconciliation, which reads it in pages.
CREATE INDEX webhook_delivery_unfinished ON webhook_delivery (endpoint_id, id)
  WHERE status IN ('pending', 'retrying');
-- Each endpoint's oldest due retries take their turn.
CREATE INDEX webhook_delivery_retry_of_endpoint ON webhook_delivery (endpoint_id, next_attempt_at)
  WHERE status = 'retrying';
CREATE INDEX webhook_delivery_skipped ON webhook_delivery (endpoint_id, updated_at, id) WHERE status = 'skipped';
-- Whoever removes a delivery has to know whether another one repeats it.
CREATE INDEX webhook_delivery_resend_of ON webhook_delivery (resend_of) WHERE resend_of IS NOT NULL;
`;

const ATTEMPT = `
CREATE TABLE webhook_attempt (
  delivery_id uuid NOT NULL REFERENCES webhook_delivery (id),
  number integer NOT NULL CHECK (number >= 1),
  tenant_id uuid NOT NULL,
  url text,
  started_at timestamptz(3) NOT NULL,
  duration_ms integer NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('succeeded', 'failed')),
  error_class text,
  response_status integer,
  response_excerpt text,
  PRIMARY KEY (delivery_id, number),
  CHECK ((error_class IS NULL) = (outcome = 'succeeded'))
);
CREATE INDEX webhook_attempt_with_excerpt ON webhook_attempt (started_at) WHERE response_excerpt <> '';
${wallAround('webhook_attempt', { rights: 'SELECT' })}
`;

export const WEBHOOK_DELIVERIES = [EVENT, DELIVERY, ATTEMPT].join('');
