import { Migration } from '@mikro-orm/migrations';

const OUTBOX_BY_ENDPOINT = `
-- Whose first attempt a row starts; null for everything else.
ALTER TABLE outbox
  ADD COLUMN clinic_id uuid GENERATED ALWAYS AS (
    CASE WHEN message ->> 'kind' = 'startDelivery' THEN (message ->> 'clinicId')::uuid END
  ) STORED,
  ADD COLUMN endpoint_id uuid GENERATED ALWAYS AS (
    CASE WHEN message ->> 'kind' = 'startDelivery' THEN (message ->> 'endpointId')::uuid END
  ) STORED;
CREATE INDEX outbox_of_endpoint ON outbox (clinic_id, endpoint_id, id) WHERE endpoint_id IS NOT NULL;
CREATE INDEX outbox_of_nobody ON outbox (id) WHERE endpoint_id IS NULL AND ordering_key IS NULL;
`;

const FIRST_ATTEMPT = `
-- First attempts from their claim to their record. A lease: what a killed worker held ends by itself. Losing all of it
-- in a crash of the database does no harm.
CREATE UNLOGGED TABLE first_attempt (
  delivery_id uuid PRIMARY KEY,
  clinic_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  held_until timestamptz NOT NULL
);

CREATE INDEX webhook_delivery_retry_due ON webhook_delivery (next_attempt_at, endpoint_id) WHERE status = 'retrying';
`;

export class FairOutboxMigration extends Migration {
  override up(): void {
    for (const part of [OUTBOX_BY_ENDPOINT, FIRST_ATTEMPT]) this.addSql(part);
  }
}
