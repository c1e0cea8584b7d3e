import { CLINIC_ROLE, isOwn, wallAround } from '../clinic-walls.ts';

/** What is asked of the worker. docs/decisions/0001, 0013 */
export const OUTBOX = `
CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Rows with one key are carried out in the order of their ids.
  ordering_key text,
  message jsonb NOT NULL,
  -- Whose first attempt a row asks for; null for everything else.
  clinic_id uuid GENERATED ALWAYS AS (
    CASE WHEN message ->> 'kind' = 'startDelivery' THEN (message ->> 'clinicId')::uuid END
  ) STORED,
  endpoint_id uuid GENERATED ALWAYS AS (
    CASE WHEN message ->> 'kind' = 'startDelivery' THEN (message ->> 'endpointId')::uuid END
  ) STORED,
  -- The delivery's first attempt was made: only its workflow is missing.
  attempted boolean NOT NULL DEFAULT false,
  -- When the timer that the row starts will fire, if that is some minutes away; null: whatever the row asks is urgent.
  due_at timestamptz,
  -- The worker that holds the row; while it does, available_at lies in infinity.
  claimed_by uuid,
  -- Claimed or backing off until then.
  available_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  failures integer NOT NULL DEFAULT 0,
  last_error text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
)
-- A claim changes no indexed column of a row. With room on its page the row's new version stays there, and none of the
-- indexes is touched: https://www.postgresql.org/docs/current/storage-hot.html
WITH (fillfactor = 50);
CREATE INDEX outbox_order ON outbox (ordering_key, id) WHERE ordering_key IS NOT NULL;
CREATE INDEX outbox_of_delivery ON outbox ((message ->> 'deliveryId')) WHERE message ->> 'deliveryId' IS NOT NULL;
CREATE INDEX outbox_timer ON outbox (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX outbox_message ON outbox (id) WHERE endpoint_id IS NULL AND due_at IS NULL;
CREATE INDEX outbox_attempted ON outbox (id) WHERE attempted;
-- What waits takes its turn, by clinic and endpoint, however much others have waiting.
CREATE INDEX outbox_message_of_clinic
  ON outbox ((coalesce(message ->> 'clinicId', message -> 'delivery' ->> 'tenantId', '')), id)
  WHERE endpoint_id IS NULL AND due_at IS NULL;
CREATE INDEX outbox_first_attempt ON outbox (clinic_id, endpoint_id, id)
  WHERE endpoint_id IS NOT NULL AND NOT attempted;
CREATE INDEX outbox_attempted_of_clinic ON outbox (clinic_id, id) WHERE attempted;
${wallAround('outbox', {
  rights: 'SELECT, INSERT, DELETE',
  // Only of a delivery's first attempt a column says whose it is; of every other message its text does.
  own: isOwn('clinic_id'),
  written: isOwn(`coalesce(message ->> 'clinicId', message -> 'delivery' ->> 'tenantId')::uuid`),
})}

-- What a worker has claimed is its own until then; it renews the lease, not the rows.
CREATE TABLE worker_lease (
  worker_id uuid PRIMARY KEY,
  held_until timestamptz NOT NULL
);
GRANT SELECT ON worker_lease TO ${CLINIC_ROLE};
`;
