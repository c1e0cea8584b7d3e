import { wallAround } from '../clinic-walls.ts';

/**
 * Rows name clinics and do not refer to them: they outlive the clinic. No one changes them, not even by mistake; only what is
 * older than a year goes, through the one function that retention calls, which also roles without DELETE may.
 */
export const AUDIT = `
CREATE TABLE audit_event (
  id uuid PRIMARY KEY DEFAULT uuid_v7(),
  at timestamptz(3) NOT NULL DEFAULT now(),
  tenant_id uuid,
  actor text NOT NULL,
  action text NOT NULL,
  subject_id text,
  request_id uuid,
  details jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX audit_event_of_tenant ON audit_event (tenant_id, id);
CREATE INDEX audit_event_of_subject ON audit_event (subject_id, id);
CREATE INDEX audit_event_by_time ON audit_event (at);
${wallAround('audit_event', { rights: 'SELECT, INSERT' })}

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.at < now() - interval '1 year' THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION 'audit_event is append-only' USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER audit_event_is_append_only BEFORE UPDATE OR DELETE ON audit_event
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_event_is_kept BEFORE TRUNCATE ON audit_event
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

CREATE FUNCTION prune_audit_events(older_than_days integer, at_most integer) RETURNS integer
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH pruned AS (
    DELETE FROM audit_event
    WHERE id IN (
      SELECT id
      FROM audit_event
      WHERE at < now() - make_interval(days => older_than_days)
      ORDER BY at
      LIMIT at_most
      FOR UPDATE SKIP LOCKED
    )
    RETURNING 1
  )
  SELECT count(*)::integer FROM pruned
$$;
`;
