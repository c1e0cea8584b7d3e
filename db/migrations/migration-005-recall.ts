import { Migration } from '@mikro-orm/migrations';

const RECALL = `
-- One for each patient and last visit, for ever: what stands here is not sent again.
CREATE TABLE recall (
  tenant_id uuid NOT NULL REFERENCES tenant (id),
  patient_phone_hash text NOT NULL,
  last_visit_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, patient_phone_hash, last_visit_at)
);

-- How far the search for recalls has come in a clinic.
CREATE TABLE recall_scan (
  tenant_id uuid PRIMARY KEY REFERENCES tenant (id),
  -- The local date of the last search that came to its end.
  recall_scanned_on date,
  -- The local date on which the search under way began, and the last patient it has looked at.
  scanning_on date,
  reached_phone_hash text,
  CHECK ((scanning_on IS NULL) = (reached_phone_hash IS NULL))
);
`;

/** Reconciliation reads these in pages, in the order of the index. */
const RECONCILE = `
CREATE INDEX appointment_confirmed ON appointment (starts_at, id) WHERE status = 'confirmed';
DROP INDEX appointment_awaiting_check_in;
CREATE INDEX webhook_delivery_unfinished ON webhook_delivery (endpoint_id, id) WHERE status IN ('pending', 'retrying');
DROP INDEX webhook_delivery_open;
CREATE INDEX webhook_endpoint_failing ON webhook_endpoint (id) WHERE status = 'failing';
CREATE INDEX notification_to_mail ON notification (endpoint_id) WHERE mail = 'due';
`;

export class RecallMigration extends Migration {
  override up(): void {
    for (const part of [RECALL, RECONCILE]) this.addSql(part);
  }
}
