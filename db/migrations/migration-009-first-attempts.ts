import { Migration } from '@mikro-orm/migrations';

const OUTBOX = `
ALTER TABLE outbox
  -- The worker that holds the row; while it does, available_at lies in infinity.
  ADD COLUMN claimed_by uuid,
  -- The delivery's first attempt was made: only its workflow is missing.
  ADD COLUMN attempted boolean NOT NULL DEFAULT false,
  -- When the timer that the row starts will fire, if that is some minutes away; null: whatever the row asks is urgent.
  ADD COLUMN due_at timestamptz;

DROP INDEX outbox_of_endpoint;
DROP INDEX outbox_of_nobody;
CREATE INDEX outbox_first_attempt ON outbox (clinic_id, endpoint_id, id) WHERE endpoint_id IS NOT NULL AND NOT attempted;
CREATE INDEX outbox_attempted ON outbox (id) WHERE attempted;
CREATE INDEX outbox_message ON outbox (id) WHERE endpoint_id IS NULL AND due_at IS NULL;
CREATE INDEX outbox_timer ON outbox (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX outbox_of_delivery ON outbox ((message ->> 'deliveryId')) WHERE message ->> 'deliveryId' IS NOT NULL;
`;

const LEASE = `
-- What a worker has claimed is its own until then; it renews the lease, not the rows.
CREATE TABLE worker_lease (
  worker_id uuid PRIMARY KEY,
  held_until timestamptz NOT NULL
);
`;

const HOST = `
-- Many endpoints may share a receiver.
ALTER TABLE webhook_endpoint
  ADD COLUMN host text NOT NULL GENERATED ALWAYS AS (coalesce(substring(url FROM '^https://([^/?#]+)'), '')) STORED;
`;

export class FirstAttemptsMigration extends Migration {
  override up(): void {
    for (const part of [OUTBOX, LEASE, HOST]) this.addSql(part);
  }
}
