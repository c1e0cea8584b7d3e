import { wallAround } from '../clinic-walls.ts';

/** Answers kept for repeated requests. Everything a request or an answer said is inside `sealed`, encrypted. */
const IDEMPOTENCY = `
CREATE TABLE idempotency_record (
  tenant_id uuid NOT NULL REFERENCES tenant (id),
  -- SHA-256 of the Idempotency-Key: clients put order numbers and names into their keys.
  key_hash bytea NOT NULL,
  sealed text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, key_hash)
);
CREATE INDEX idempotency_record_by_expiry ON idempotency_record (expires_at);
${wallAround('idempotency_record', {
  rights: 'SELECT, INSERT, UPDATE',
  admission: { rights: 'SELECT, UPDATE (expires_at), DELETE' },
})}

CREATE FUNCTION find_idempotency_answer(of_tenant uuid, of_key_hash bytea) RETURNS text
LANGUAGE sql VOLATILE AS $$
  SELECT sealed
  FROM idempotency_record
  WHERE tenant_id = of_tenant
    AND key_hash = of_key_hash
    AND expires_at > now()
$$;

-- Finds the answer of an earlier twin, or reserves the key until the transaction ends, or neither: a twin is running.
-- Under the lock it looks again, with a new snapshot, because the twin may have committed in between.
CREATE FUNCTION claim_idempotency_key(of_tenant uuid, of_key_hash bytea, OUT claimed boolean, OUT answer text)
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  claimed := false;
  answer := find_idempotency_answer(of_tenant, of_key_hash);
  IF answer IS NULL THEN
    claimed := pg_try_advisory_xact_lock(hashtextextended(of_tenant::text || encode(of_key_hash, 'hex'), 0));
  END IF;
  IF claimed THEN
    answer := find_idempotency_answer(of_tenant, of_key_hash);
    claimed := answer IS NULL;
  END IF;
END
$$;
`;

/**
 * What the API was asked with a key, for a week. Unlogged: a crash of the database empties it, and nothing depends on it. When a request
 * came stands in its id, a UUIDv7. Which fields it held, and which of them were wrong, is here by name, and only by names that the
 * contract knows. Values are patients' data, and names that a caller made up may be; neither is kept.
 */
const REQUEST_LOG = `
CREATE UNLOGGED TABLE request_log (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  key_id uuid NOT NULL,
  method text NOT NULL,
  -- The path as the contract writes it: no ids, no query.
  route text NOT NULL,
  fields text[] NOT NULL DEFAULT '{}',
  wrong_fields text[] NOT NULL DEFAULT '{}',
  status smallint NOT NULL,
  error text,
  duration_ms integer NOT NULL
);
CREATE INDEX request_log_of_key ON request_log (key_id, id);
CREATE INDEX request_log_with_error ON request_log (key_id, error, id) WHERE error IS NOT NULL;
${wallAround('request_log', {
  rights: 'SELECT',
  admission: { rights: 'SELECT, INSERT, UPDATE (id), DELETE' },
})}
`;

export const REQUESTS = [IDEMPOTENCY, REQUEST_LOG].join('');
