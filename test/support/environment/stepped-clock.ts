import { Client } from 'pg';

/** A setting of the server that its clock is read with, for a server of whom the clock was never right. */
export const SECONDS_AHEAD = 'stepped.seconds_ahead';

/**
 * The functions that tell the time, and the view that tells when transactions began, as they are on a server whose clock
 * is set. A transaction keeps the start that it was given before.
 */
const CLOCK = `
CREATE SCHEMA stepped;
GRANT USAGE ON SCHEMA stepped TO PUBLIC;
CREATE TABLE stepped.step (since timestamptz NOT NULL, seconds float8 NOT NULL);
GRANT SELECT ON stepped.step TO PUBLIC;

CREATE FUNCTION stepped.shown(at timestamptz) RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
  SELECT at + make_interval(secs => coalesce(sum(seconds), 0)
    + coalesce(nullif(pg_catalog.current_setting('${SECONDS_AHEAD}', true), '')::float8, 0))
  FROM stepped.step WHERE since <= at
$$;
CREATE FUNCTION stepped.now() RETURNS timestamptz LANGUAGE sql STABLE
  AS 'SELECT stepped.shown(pg_catalog.now())';
CREATE FUNCTION stepped.statement_timestamp() RETURNS timestamptz LANGUAGE sql STABLE
  AS 'SELECT stepped.shown(pg_catalog.statement_timestamp())';
CREATE FUNCTION stepped.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
  AS 'SELECT stepped.shown(pg_catalog.clock_timestamp())';
CREATE VIEW stepped.pg_stat_activity AS
  SELECT datname, pid, backend_type, stepped.shown(xact_start) AS xact_start FROM pg_catalog.pg_stat_activity;
GRANT SELECT ON stepped.pg_stat_activity TO PUBLIC;
`;

/** For sessions that begin from now on: unqualified names are looked for in the schema before PostgreSQL's own. */
const LOOKED_FOR_FIRST = `
DO $$
BEGIN
  EXECUTE format('ALTER DATABASE %I SET search_path = stepped, public, pg_catalog', current_database());
END
$$;
`;

/** Makes the clock of a database one that `stepClock` sets. Call it before anything else connects. */
export function giveSteppedClock(url: string): Promise<void> {
  return onDatabase(url, CLOCK + LOOKED_FOR_FIRST);
}

/** Sets the clock forward by so many seconds, or back. */
export function stepClock(url: string, seconds: number): Promise<void> {
  return onDatabase(url, `INSERT INTO stepped.step VALUES (pg_catalog.clock_timestamp(), ${seconds})`);
}

async function onDatabase(url: string, statements: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}
