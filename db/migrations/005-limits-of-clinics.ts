import { ADMISSION_ROLE, wallAround } from './clinic-walls.ts';
import { NonBlockingMigration } from './non-blocking-migration.ts';

/** What an operator may set for each clinic: docs/limits.md */
const LIMITS = `
ALTER TABLE tenant
  ADD COLUMN IF NOT EXISTS requests_per_minute integer NOT NULL DEFAULT 3000,
  ADD COLUMN IF NOT EXISTS max_appointments integer NOT NULL DEFAULT 2000000,
  ADD COLUMN IF NOT EXISTS max_calls integer NOT NULL DEFAULT 1000000,
  ADD COLUMN IF NOT EXISTS max_recording_gib integer NOT NULL DEFAULT 200;
GRANT SELECT (requests_per_minute) ON tenant TO ${ADMISSION_ROLE};
`;

/** One small row for each clinic, however many keys it has. Unlogged, as `request_window` is. */
const CLINIC_WINDOW = `
CREATE UNLOGGED TABLE IF NOT EXISTS clinic_window (
  tenant_id uuid PRIMARY KEY,
  -- The latest second in which a request was accepted, since 1970.
  second bigint NOT NULL,
  -- How many requests were accepted until the end of each of the last 61 seconds, that second included. A window of n seconds
  -- holds the difference of two of these numbers.
  totals bigint[] STORAGE PLAIN NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0.1);
${wallAround('clinic_window', { rights: 'SELECT', admission: { rights: 'SELECT, INSERT, UPDATE' } })}
`;

/** `count_request` as it was, and one more argument: without `may_count` it tells how the windows are and counts nothing. */
const COUNT_REQUEST = `
CREATE OR REPLACE FUNCTION count_request(
  of_subject text,
  limits integer[],
  window_seconds integer[],
  at timestamptz,
  may_count boolean,
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
  is_accepted := may_count AND retry_after_ms = 0;
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

CREATE OR REPLACE FUNCTION count_request(
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
LANGUAGE sql VOLATILE AS $$
  SELECT * FROM count_request(of_subject, limits, window_seconds, at, true)
$$;
`;

/**
 * `count_request`, and for a request of a clinic against the limits of all its keys too: `requests_per_minute` in 60 seconds, and in
 * one second a thirtieth of that, at least 30. These two come last in `remaining` and `resets_in_ms`. The clinic's row is locked
 * before the key's.
 */
const ADMIT_REQUEST = `
CREATE OR REPLACE FUNCTION admit_request(
  of_subject text,
  limits integer[],
  window_seconds integer[],
  of_tenant uuid,
  requests_per_minute integer,
  at timestamptz DEFAULT NULL,
  OUT is_accepted boolean,
  OUT retry_after_ms float8,
  OUT remaining integer[],
  OUT resets_in_ms float8[],
  OUT counted_at timestamptz
)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  per_second integer := greatest(30, requests_per_minute / 30);
  latest bigint;
  counts bigint[];
  now_seconds float8;
  this_second bigint;
  passed bigint;
  clinic_retry_ms float8 := 0;
BEGIN
  IF of_tenant IS NULL THEN
    SELECT * INTO is_accepted, retry_after_ms, remaining, resets_in_ms, counted_at
    FROM count_request(of_subject, limits, window_seconds, at, true);
    RETURN;
  END IF;
  LOOP
    SELECT second, totals INTO latest, counts FROM clinic_window WHERE tenant_id = of_tenant FOR NO KEY UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO clinic_window (tenant_id, second, totals)
    VALUES (of_tenant, 0, array_fill(0::bigint, ARRAY[61]))
    ON CONFLICT DO NOTHING;
  END LOOP;
  counted_at := coalesce(at, clock_timestamp());
  now_seconds := extract(epoch FROM counted_at);
  this_second := floor(now_seconds);
  passed := this_second - latest;
  IF passed BETWEEN 1 AND 60 THEN
    counts := counts[1 + passed : 61] || array_fill(counts[61], ARRAY[passed::integer]);
  ELSIF passed <> 0 THEN
    -- Nothing was accepted for a minute, or the clock was set back.
    counts := array_fill(counts[61], ARRAY[61]);
  END IF;
  IF counts[61] - counts[1] >= requests_per_minute THEN
    -- The totals ascend: so many of them are too low for a window with room to begin there.
    clinic_retry_ms := (this_second + width_bucket(counts[61] - requests_per_minute, counts) - now_seconds) * 1000;
  ELSIF counts[61] - counts[60] >= per_second THEN
    clinic_retry_ms := (this_second + 1 - now_seconds) * 1000;
  END IF;
  SELECT * INTO is_accepted, retry_after_ms, remaining, resets_in_ms, counted_at
  FROM count_request(of_subject, limits, window_seconds, counted_at, clinic_retry_ms = 0);
  retry_after_ms := greatest(retry_after_ms, clinic_retry_ms);
  IF is_accepted THEN
    counts[61] := counts[61] + 1;
    UPDATE clinic_window SET second = this_second, totals = counts WHERE tenant_id = of_tenant;
  END IF;
  remaining := remaining || ARRAY[
    greatest(0, requests_per_minute - (counts[61] - counts[1])),
    greatest(0, per_second - (counts[61] - counts[60]))
  ]::integer[];
  resets_in_ms := resets_in_ms || ARRAY[
    CASE WHEN counts[61] > counts[1] THEN (this_second + width_bucket(counts[1], counts) - now_seconds) * 1000 ELSE 0 END,
    CASE WHEN counts[61] > counts[60] THEN (this_second + 1 - now_seconds) * 1000 ELSE 0 END
  ]::float8[];
END
$$;
`;

/**
 * How much each clinic has stored. What is added or goes is noted by a row of its own, with the work that does it, so that requests
 * of a clinic do not wait for each other; the API adds these rows up: `db/clinic/stored-usage.ts`.
 */
const USAGE = `
CREATE TABLE IF NOT EXISTS clinic_usage (
  tenant_id uuid PRIMARY KEY REFERENCES tenant (id),
  appointments bigint NOT NULL DEFAULT 0,
  calls bigint NOT NULL DEFAULT 0,
  recording_bytes bigint NOT NULL DEFAULT 0
);
${wallAround('clinic_usage', { rights: 'SELECT', admission: { rights: 'SELECT, INSERT, UPDATE' } })}

CREATE TABLE IF NOT EXISTS usage_change (
  tenant_id uuid NOT NULL,
  -- A column of clinic_usage, and what to add to it.
  what text NOT NULL,
  amount bigint NOT NULL
) WITH (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0.1);
${wallAround('usage_change', { rights: 'INSERT', admission: { rights: 'SELECT, UPDATE (amount), DELETE' } })}

CREATE OR REPLACE FUNCTION note_row_stored() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    INSERT INTO usage_change (tenant_id, what, amount) VALUES (OLD.tenant_id, TG_ARGV[0], -1);
  ELSE
    INSERT INTO usage_change (tenant_id, what, amount) VALUES (NEW.tenant_id, TG_ARGV[0], 1);
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION note_recording_stored() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    INSERT INTO usage_change (tenant_id, what, amount) VALUES (OLD.tenant_id, 'recording_bytes', -OLD.size_bytes);
  ELSE
    INSERT INTO usage_change (tenant_id, what, amount) VALUES (NEW.tenant_id, 'recording_bytes', NEW.size_bytes);
  END IF;
  RETURN NULL;
END
$$;

-- A hold is nobody's appointment, until it becomes one.
CREATE OR REPLACE TRIGGER appointment_stored AFTER INSERT ON calendar_entry
FOR EACH ROW WHEN (NEW.status <> 'held') EXECUTE FUNCTION note_row_stored('appointments');
CREATE OR REPLACE TRIGGER appointment_of_hold_stored AFTER UPDATE OF status ON calendar_entry
FOR EACH ROW WHEN (OLD.status = 'held' AND NEW.status <> 'held') EXECUTE FUNCTION note_row_stored('appointments');
CREATE OR REPLACE TRIGGER appointment_gone AFTER DELETE ON calendar_entry
FOR EACH ROW WHEN (OLD.status <> 'held') EXECUTE FUNCTION note_row_stored('appointments');
CREATE OR REPLACE TRIGGER call_stored AFTER INSERT OR DELETE ON call
FOR EACH ROW EXECUTE FUNCTION note_row_stored('calls');
CREATE OR REPLACE TRIGGER recording_stored AFTER INSERT OR DELETE ON call_recording
FOR EACH ROW EXECUTE FUNCTION note_recording_stored();
`;

/** One statement sees what is stored and what was noted of it at the same moment, so nothing is counted twice. */
const COUNT_WHAT_IS_STORED = `
WITH noted AS (
  DELETE FROM usage_change
)
INSERT INTO clinic_usage (tenant_id, appointments, calls, recording_bytes)
SELECT
  tenant.id,
  (SELECT count(*) FROM calendar_entry WHERE tenant_id = tenant.id AND status <> 'held'),
  (SELECT count(*) FROM call WHERE tenant_id = tenant.id),
  (SELECT coalesce(sum(size_bytes), 0) FROM call_recording WHERE tenant_id = tenant.id)
FROM tenant
ON CONFLICT (tenant_id) DO UPDATE
SET appointments = excluded.appointments, calls = excluded.calls, recording_bytes = excluded.recording_bytes
`;

/** Requests and what is stored are limited for each clinic. Clinics work on while it runs. */
export class LimitsOfClinicsMigration extends NonBlockingMigration {
  override up(): void {
    for (const part of [LIMITS, CLINIC_WINDOW, COUNT_REQUEST, ADMIT_REQUEST, USAGE, COUNT_WHAT_IS_STORED])
      this.addSql(part);
  }
}
