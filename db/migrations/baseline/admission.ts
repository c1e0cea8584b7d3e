import { ADMISSION_ROLE } from '../clinic-walls.ts';

/** Exact sliding windows. Unlogged: a crash of the database empties the table, and everyone starts afresh. */
const RATE_LIMITS = `
CREATE UNLOGGED TABLE request_window (
  -- 'key:<id of the API key>' or 'address:<IP address, or the /64 of an IPv6 address>'
  subject text PRIMARY KEY,
  -- When the latest requests were accepted, ascending; no longer than the highest limit. 300 times are 2.4 kB, just enough
  -- for PostgreSQL to start compressing them on every request.
  accepted timestamptz[] STORAGE PLAIN NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0.1);
GRANT SELECT, INSERT, UPDATE, DELETE ON request_window TO ${ADMISSION_ROLE};

-- Accepts and counts a request when every window has room for it, or says how long until it would be accepted.
-- A request leaves a window of n seconds exactly n seconds after it was accepted. \`remaining\` and \`resets_in_ms\` (when the
-- earliest counted request leaves) follow the order of the windows.
CREATE FUNCTION count_request(
  of_subject text,
  limits integer[],
  window_seconds integer[],
  at timestamptz DEFAULT NULL,
  OUT is_accepted boolean,
  OUT retry_after_ms float8,
  OUT remaining integer[],
  OUT resets_in_ms float8[],
  OUT counted_at timestamptz
)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  times timestamptz[];
  total integer;
  used integer;
  window_length interval;
BEGIN
  LOOP
    SELECT accepted INTO times FROM request_window WHERE subject = of_subject FOR NO KEY UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO request_window (subject, accepted) VALUES (of_subject, '{}') ON CONFLICT DO NOTHING;
  END LOOP;
  -- The clock is read once the row is ours, so that the times in it ascend.
  counted_at := coalesce(at, clock_timestamp());
  SELECT make_interval(secs => max(seconds)) INTO window_length FROM unnest(window_seconds) AS seconds;
  -- width_bucket() is a binary search: how many of the times are not later. Times to come mean that the clock was set back.
  times := times[width_bucket(counted_at - window_length, times) + 1 : width_bucket(counted_at, times)];
  total := cardinality(times);
  retry_after_ms := 0;
  FOR i IN 1..cardinality(limits) LOOP
    window_length := make_interval(secs => window_seconds[i]);
    IF total - width_bucket(counted_at - window_length, times) >= limits[i] THEN
      retry_after_ms := greatest(
        retry_after_ms,
        extract(epoch FROM times[total - limits[i] + 1] + window_length - counted_at) * 1000
      );
    END IF;
  END LOOP;
  is_accepted := retry_after_ms = 0;
  IF is_accepted THEN
    times := times || counted_at;
    total := total + 1;
    UPDATE request_window SET accepted = times WHERE subject = of_subject;
  END IF;
  FOR i IN 1..cardinality(limits) LOOP
    window_length := make_interval(secs => window_seconds[i]);
    used := least(limits[i], total - width_bucket(counted_at - window_length, times));
    remaining[i] := limits[i] - used;
    resets_in_ms[i] := CASE
      WHEN used = 0 THEN 0
      ELSE extract(epoch FROM times[total - used + 1] + window_length - counted_at) * 1000
    END;
  END LOOP;
END
$$;
`;

/** Runs with every request: as a function its statements are planned once a connection, not once a request. */
const API_KEYS = `
-- The key with this public id, or nulls; whether it is good; and, when it is, its use noted down once a minute at most.
-- Hashes of 190 random bits may be compared by SQL: how far two agree tells nothing about the key.
CREATE FUNCTION use_api_key(
  of_public_id text,
  presented_hash bytea,
  at timestamptz,
  OUT id uuid,
  OUT tenant_id uuid,
  OUT secret_hash bytea,
  OUT scopes text[],
  OUT is_expired boolean,
  OUT is_revoked boolean,
  OUT is_good boolean
)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  last_used_at timestamptz;
BEGIN
  SELECT
    key.id, key.tenant_id, key.secret_hash, key.scopes,
    key.revoked_at IS NOT NULL, coalesce(key.expires_at <= at, false), key.last_used_at
  INTO id, tenant_id, secret_hash, scopes, is_revoked, is_expired, last_used_at
  FROM api_key AS key
  WHERE key.public_id = of_public_id;
  is_good := FOUND AND secret_hash = presented_hash AND NOT is_revoked AND NOT is_expired;
  IF is_good AND (last_used_at IS NULL OR last_used_at < at - interval '1 minute') THEN
    UPDATE api_key AS key SET last_used_at = at WHERE key.id = use_api_key.id;
  END IF;
END
$$;
`;

/** What every request meets before anything else. */
export const ADMISSION = [RATE_LIMITS, API_KEYS].join('');
