import { Migration } from '@mikro-orm/migrations';

const HEALTH = `
-- The last 2xx, changed URL or enabling that ended a failing time: what began before it says nothing about the endpoint now.
ALTER TABLE webhook_endpoint ADD COLUMN corrected_at timestamptz(3);

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
  created_at timestamptz(3) NOT NULL,
  CHECK ((mail = 'sent') = (emailed_at IS NOT NULL)),
  FOREIGN KEY (tenant_id, endpoint_id) REFERENCES webhook_endpoint (tenant_id, id)
);
CREATE INDEX notification_of_tenant ON notification (tenant_id, id);
CREATE INDEX notification_of_endpoint ON notification (endpoint_id, id);

CREATE INDEX webhook_delivery_missed ON webhook_delivery (tenant_id, status, id) WHERE status IN ('failed', 'skipped');
CREATE INDEX webhook_delivery_skipped ON webhook_delivery (endpoint_id, updated_at, id) WHERE status = 'skipped';
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
`;

export class WebhookHealthMigration extends Migration {
  override up(): void {
    for (const part of [HEALTH, REPLAY]) this.addSql(part);
  }
}
