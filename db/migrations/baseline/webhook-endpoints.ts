import { wallAround } from '../clinic-walls.ts';

const ENDPOINT = `
CREATE TABLE webhook_endpoint (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES tenant (id),
  url text NOT NULL,
  -- Many endpoints may share a receiver.
  host text NOT NULL GENERATED ALWAYS AS (coalesce(substring(url FROM '^https://([^/?#]+)'), '')) STORED,
  description text,
  events text[] NOT NULL,
  -- The API keys whose doings it is not told of, because they are its own.
  ignore_actors uuid[] NOT NULL DEFAULT '{}',
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'failing', 'deactivated', 'disabled')),
  failing_since timestamptz(3),
  deactivate_at timestamptz(3),
  -- The last 2xx, changed URL or enabling that ended a failing time: what began before it says nothing about it now.
  corrected_at timestamptz(3),
  deleted_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (tenant_id, id)
);
CREATE INDEX webhook_endpoint_of_tenant ON webhook_endpoint (tenant_id, id) WHERE deleted_at IS NULL;
-- For reconciliation, which reads it in pages.
CREATE INDEX webhook_endpoint_failing ON webhook_endpoint (id) WHERE status = 'failing';
${wallAround('webhook_endpoint', { rights: 'SELECT, INSERT, UPDATE' })}

-- More than one while a rotation overlaps; sealed, bound to the endpoint.
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
${wallAround('webhook_secret', { rights: 'SELECT, INSERT, UPDATE, DELETE' })}
`;

const NOTIFICATION = `
CREATE TABLE notification (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('endpoint_failing', 'endpoint_deactivated')),
  endpoint_id uuid NOT NULL,
  -- As it was at that time, without its query, which may hold a token.
  endpoint_url text NOT NULL,
  -- When the endpoint will be, or was, switched off.
  deactivate_at timestamptz(3) NOT NULL,
  mail text NOT NULL CHECK (mail IN ('due', 'sent', 'no_address', 'sent_recently', 'refused', 'no_server')),
  emailed_at timestamptz(3),
  -- When somebody at the clinic has taken note.
  read_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  CHECK ((mail = 'sent') = (emailed_at IS NOT NULL)),
  FOREIGN KEY (tenant_id, endpoint_id) REFERENCES webhook_endpoint (tenant_id, id)
);
CREATE INDEX notification_of_tenant ON notification (tenant_id, id);
CREATE INDEX notification_of_endpoint ON notification (endpoint_id, id);
CREATE INDEX notification_to_mail ON notification (endpoint_id) WHERE mail = 'due';
-- Every page of the dashboard counts them; a clinic that reads its notices has few among many.
CREATE INDEX notification_unread ON notification (tenant_id, id) WHERE read_at IS NULL;
${wallAround('notification', { rights: 'SELECT, UPDATE' })}
`;

const REPLAY = `
CREATE TABLE webhook_replay (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  -- Events created from "since" to before "until".
  since timestamptz(3) NOT NULL,
  until timestamptz(3) NOT NULL,
  include text NOT NULL CHECK (include IN ('skipped', 'failed', 'missing', 'all')),
  -- The last event that was looked at, in order of creation.
  reached_at timestamptz(3),
  reached_event_id text,
  deliveries integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  finished_at timestamptz(3),
  CHECK ((reached_at IS NULL) = (reached_event_id IS NULL)),
  FOREIGN KEY (tenant_id, endpoint_id) REFERENCES webhook_endpoint (tenant_id, id)
);
CREATE INDEX webhook_replay_unfinished ON webhook_replay (id) WHERE finished_at IS NULL;
${wallAround('webhook_replay', { rights: 'SELECT, INSERT, UPDATE' })}
`;

export const WEBHOOK_ENDPOINTS = [ENDPOINT, NOTIFICATION, REPLAY].join('');
