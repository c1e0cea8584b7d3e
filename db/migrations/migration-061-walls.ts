import {
  ADMISSION_ROLE,
  CLINIC_ROLE,
  isOwn,
  isWithinReach,
  SERVICE_ROLE,
  wallAround,
  type Wall,
} from './clinic-walls.ts';
import { NonBlockingMigration } from './non-blocking-migration.ts';

/** Roles belong to the server, and another database of the service on it may have made them, even this moment. */
const ROLES = `
DO $$
DECLARE
  wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['${CLINIC_ROLE}', '${SERVICE_ROLE}', '${ADMISSION_ROLE}'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted) THEN
      BEGIN
        EXECUTE format('CREATE ROLE %I NOLOGIN', wanted);
      EXCEPTION WHEN duplicate_object OR unique_violation THEN
        NULL;
      END;
    END IF;
  END LOOP;
END
$$
`;

/** Whoever owns the tables or was given them goes on seeing every clinic, and may see one alone. */
const MEMBERS = `
DO $$
DECLARE
  member regrole;
BEGIN
  FOR member IN
    SELECT current_user::regrole
    UNION
    SELECT grantee::regrole
    FROM pg_class, aclexplode(relacl)
    WHERE oid = 'tenant'::regclass AND grantee <> 0
  LOOP
    IF NOT pg_has_role(member, '${SERVICE_ROLE}', 'USAGE') THEN
      EXECUTE format('GRANT ${SERVICE_ROLE} TO %s WITH INHERIT TRUE', member);
    END IF;
    IF NOT pg_has_role(member, '${CLINIC_ROLE}', 'SET') THEN
      EXECUTE format('GRANT ${CLINIC_ROLE} TO %s WITH INHERIT FALSE, SET TRUE', member);
    END IF;
  END LOOP;
END
$$
`;

const READ = 'SELECT';
const ADD = 'SELECT, INSERT';
const EDIT = 'SELECT, INSERT, UPDATE';
const REPLACE = 'SELECT, INSERT, DELETE';
const ALL = 'SELECT, INSERT, UPDATE, DELETE';

const WALLS: Record<string, Wall> = {
  tenant: { rights: 'SELECT, UPDATE', own: isOwn('id') },
  clinic_key: { rights: READ },
  api_key: { rights: EDIT },
  professional: { rights: EDIT },
  service_type: { rights: EDIT },
  service_eligibility: { rights: REPLACE },
  busy_block: { rights: ALL },
  calendar_entry: { rights: ALL },
  appointment_change: { rights: ADD },
  nps_response: { rights: ADD },
  triage_form: { rights: ADD },
  call: { rights: EDIT },
  call_event: { rights: ADD },
  call_recording: { rights: REPLACE },
  recording_removal: { rights: REPLACE },
  recall: { rights: READ },
  recall_scan: { rights: READ },
  recalled_visit: { rights: READ },
  webhook_endpoint: { rights: EDIT },
  webhook_secret: { rights: ALL },
  // Held while it is sent again, for which some column has to be one that may be changed.
  webhook_event: { rights: 'SELECT, INSERT, UPDATE (id)' },
  webhook_delivery: { rights: EDIT },
  webhook_attempt: { rights: READ },
  webhook_replay: { rights: EDIT },
  notification: { rights: 'SELECT, UPDATE' },
  idempotency_record: { rights: EDIT },
  request_log: { rights: READ },
  patient_read: { rights: READ },
  audit_event: { rights: ADD },
  // Those of the service itself, whom a clinic meets in its lists, are of no clinic.
  person: { rights: READ, own: `tenant_id IS NULL OR ${isOwn()}` },
  session: { rights: 'SELECT, DELETE' },
  portal_link: { rights: ADD },
  kept_form: { rights: 'SELECT, UPDATE' },
  // Of earlier versions.
  first_attempt: { rights: null, own: isOwn('clinic_id') },
  // Only of a delivery's first attempt a column says whose it is; of every other message its text does.
  outbox: {
    rights: REPLACE,
    own: isOwn('clinic_id'),
    written: isOwn(`coalesce(message ->> 'clinicId', message -> 'delivery' ->> 'tenantId')::uuid`),
  },
};

/** The view of holds and appointments keeps to the walls of its table; these, which show times or find by name or by a list of ids, have their own. */
const VIEWS = `
ALTER VIEW appointment SET (security_invoker = true);
GRANT ${ALL} ON appointment TO ${CLINIC_ROLE};

CREATE OR REPLACE VIEW taken_time AS
SELECT id, tenant_id, professional_id, status, hold_expires_at, block_from, block_until
FROM calendar_entry
WHERE blocks AND ${isWithinReach()};

CREATE OR REPLACE VIEW blocked_time AS
SELECT tenant_id, professional_id, starts_at, ends_at
FROM busy_block
WHERE ${isWithinReach()};

CREATE OR REPLACE VIEW found_visit AS
SELECT
  id, tenant_id, professional_id, service_type_id, patient_name, patient_phone_hash, patient_external_id, external_id,
  starts_at, ends_at, status
FROM calendar_entry
WHERE status <> 'held' AND ${isWithinReach()};

CREATE OR REPLACE VIEW shown_patient AS
SELECT id, tenant_id, actor, kind, subject_ids, request_ids
FROM patient_read
WHERE ${isWithinReach()};

GRANT SELECT ON taken_time, blocked_time, found_visit, shown_patient TO ${CLINIC_ROLE};
`;

/** Keys and limits, whose a link is, and what the API clears away. */
const ADMISSION = `
GRANT SELECT, UPDATE (last_used_at) ON api_key TO ${ADMISSION_ROLE};
GRANT SELECT, INSERT ON clinic_key TO ${ADMISSION_ROLE};
GRANT SELECT (id, status) ON tenant TO ${ADMISSION_ROLE};
GRANT SELECT (id, tenant_id) ON call_recording TO ${ADMISSION_ROLE};
GRANT SELECT, INSERT, UPDATE, DELETE ON request_window TO ${ADMISSION_ROLE};
GRANT SELECT, UPDATE (expires_at), DELETE ON idempotency_record TO ${ADMISSION_ROLE};
GRANT SELECT, INSERT, UPDATE (id), DELETE ON request_log TO ${ADMISSION_ROLE};
GRANT SELECT (id), INSERT ON patient_read TO ${ADMISSION_ROLE};
GRANT SELECT, UPDATE (due_at), DELETE ON recording_removal TO ${ADMISSION_ROLE};
GRANT SELECT (id, status, hold_expires_at), UPDATE (hold_expires_at), DELETE ON calendar_entry TO ${ADMISSION_ROLE};
GRANT SELECT, INSERT ON deployment TO ${ADMISSION_ROLE};
GRANT SELECT ON worker_lease TO ${CLINIC_ROLE};
`;

/** What admission sees of each of these tables. */
const SEEN_BY_ADMISSION: Record<string, string> = {
  api_key: 'true',
  clinic_key: 'true',
  tenant: 'true',
  call_recording: 'true',
  idempotency_record: 'true',
  request_log: 'true',
  patient_read: 'true',
  recording_removal: 'true',
  calendar_entry: `status = 'held'`,
};

/** A second wall between clinics, beside the conditions of our statements: docs/decisions/0024 */
export class WallsMigration extends NonBlockingMigration {
  override up(): void {
    for (const part of [ROLES, MEMBERS]) this.addSql(part);
    this.addSql(`GRANT USAGE ON SCHEMA public TO ${CLINIC_ROLE}, ${ADMISSION_ROLE}`);
    this.buildIndex(
      'slot_hold_of_professional',
      `ON calendar_entry (professional_id) WHERE status = 'held' AND blocks`,
    );
    for (const [table, wall] of Object.entries(WALLS)) this.addSql(wallAround(table, wall));
    for (const [table, rows] of Object.entries(SEEN_BY_ADMISSION))
      this.addSql(`
        DROP POLICY IF EXISTS admission ON ${table};
        CREATE POLICY admission ON ${table} TO ${ADMISSION_ROLE} USING (${rows});
      `);
    for (const part of [VIEWS, ADMISSION]) this.addSql(part);
  }
}
