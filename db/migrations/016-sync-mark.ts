import { ADMISSION_ROLE, CLINIC_ROLE, GUEST_ROLE, SERVICE_ROLE } from './clinic-walls.ts';
import { NonBlockingMigration } from './non-blocking-migration.ts';

/**
 * How far polls have come, which does not go back when the server's clock does. Two values, because they are needed at
 * different moments: no change is dated before `change_floor`, whose value everyone sees at once, committed or not; the
 * mark itself is seen once it is committed, and so on a standby that commits wait for.
 */
const STORED = `
-- Milliseconds since 1970.
CREATE SEQUENCE IF NOT EXISTS change_floor AS bigint;
GRANT SELECT ON SEQUENCE change_floor TO ${CLINIC_ROLE}, ${GUEST_ROLE};
GRANT SELECT, UPDATE ON SEQUENCE change_floor TO ${SERVICE_ROLE}, ${ADMISSION_ROLE};

CREATE TABLE IF NOT EXISTS sync_mark (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  reached_ms bigint NOT NULL DEFAULT 0
);
INSERT INTO sync_mark DEFAULT VALUES ON CONFLICT DO NOTHING;
GRANT SELECT, UPDATE ON sync_mark TO ${SERVICE_ROLE}, ${ADMISSION_ROLE};
`;

/**
 * The order is what makes it right: the floor is raised before one looks at who is under way. Anyone who is not seen then
 * reads the floor later, and dates nothing before it; anyone who is seen dates nothing before the start that is seen.
 * One poll at a time moves the mark, and at most once a second. The others get what is committed.
 */
const ADVANCE = `
CREATE OR REPLACE FUNCTION advance_sync_mark() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  reached bigint;
  wanted bigint;
  oldest bigint;
BEGIN
  SELECT reached_ms INTO reached FROM sync_mark FOR NO KEY UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    SELECT reached_ms INTO STRICT reached FROM sync_mark;
    RETURN reached;
  END IF;
  -- A transaction of the version before knows no floor, and fixes its start a moment before others can see it run.
  wanted := floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint - 1000;
  IF wanted < reached + 1000 THEN
    RETURN reached;
  END IF;
  PERFORM setval('change_floor', greatest(wanted, last_value)) FROM change_floor;
  SELECT floor(extract(epoch FROM min(xact_start)) * 1000)::bigint INTO oldest
  FROM pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid();
  wanted := least(wanted, oldest);
  IF wanted > reached THEN
    UPDATE sync_mark SET reached_ms = wanted;
    reached := wanted;
  END IF;
  RETURN reached;
END
$$;
`;

/** The mark of `syncedUntil` no longer depends on a clock that is never set back. */
export class SyncMarkMigration extends NonBlockingMigration {
  override up(): void {
    this.addSql(STORED);
    this.addSql(ADVANCE);
  }
}
