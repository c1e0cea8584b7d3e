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
CREATE INDEX first_attempt_of_endpoint ON first_attempt (endpoint_id);
CREATE INDEX first_attempt_of_clinic ON first_attempt (clinic_id);

CREATE INDEX webhook_delivery_retrying ON webhook_delivery (endpoint_id, next_attempt_at) WHERE status = 'retrying';
`;

const COUNTS = `
-- Retries that are due are being attempted or wait for it: they go before first attempts, so that few workflows wait.
-- One that is long overdue has lost its workflow, and is left to reconciliation.
CREATE FUNCTION endpoint_attempts_under_way(endpoint uuid, most integer) RETURNS integer
LANGUAGE sql STABLE AS $$
  SELECT (
    (SELECT count(*) FROM first_attempt WHERE endpoint_id = endpoint AND held_until > statement_timestamp())
    + (
      SELECT count(*)
      FROM (
        SELECT
        FROM webhook_delivery
        WHERE endpoint_id = endpoint
          AND status = 'retrying'
          AND next_attempt_at BETWEEN statement_timestamp() - interval '15 minutes' AND statement_timestamp()
        LIMIT most
      ) due
    )
  )::integer
$$;

CREATE FUNCTION clinic_first_attempts_under_way(clinic uuid) RETURNS integer
LANGUAGE sql STABLE AS $$
  SELECT count(*)::integer FROM first_attempt WHERE clinic_id = clinic AND held_until > statement_timestamp()
$$;
`;

export class FairOutboxMigration extends Migration {
  override up(): void {
    for (const part of [OUTBOX_BY_ENDPOINT, FIRST_ATTEMPT, COUNTS]) this.addSql(part);
  }
}
