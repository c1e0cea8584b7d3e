import { ADMISSION_ROLE } from '../clinic-walls.ts';

/** What tables of every subject rest on. */
export const FOUNDATION = `
-- Keeps intervals of time apart, by the professional whose they are.
CREATE EXTENSION IF NOT EXISTS btree_gist;

-- A time-ordered id for rows that SQL creates itself (RFC 9562, version 7).
CREATE FUNCTION uuid_v7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        PLACING substring(int8send(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
        FROM 1 FOR 6),
      52, 1), 53, 1),
    'hex')::uuid
$$;

-- The one mode that a database is of. Without a row it is what the first process that knows its own says.
CREATE TABLE deployment (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  mode text NOT NULL CHECK (mode IN ('live', 'test'))
);
GRANT SELECT, INSERT ON deployment TO ${ADMISSION_ROLE};
`;
