import { CLINIC_ROLE, GUEST_ROLE, SERVICE_ROLE } from './clinic-walls.ts';
import { NonBlockingMigration } from './non-blocking-migration.ts';

/** As in `baseline/roles.ts`: another database on the server may have made the role, even this moment. */
const ROLE = `
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${GUEST_ROLE}') THEN
    BEGIN
      CREATE ROLE ${GUEST_ROLE} NOLOGIN;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN
      NULL;
    END;
  END IF;
  IF NOT pg_has_role('${GUEST_ROLE}', 'SET') THEN
    BEGIN
      GRANT ${GUEST_ROLE} TO CURRENT_USER WITH INHERIT FALSE, SET TRUE;
    EXCEPTION WHEN unique_violation THEN
      NULL;
    END;
  END IF;
END
$$;
GRANT USAGE ON SCHEMA public TO ${GUEST_ROLE};
`;

/** What bookings, moves and cancellations read and write of the clinics that the transaction names. */
const RIGHTS: Record<string, string> = {
  tenant: 'SELECT',
  // Of which moves lock a row, for which some column has to be one that may be changed.
  professional: 'SELECT, UPDATE (id)',
  service_type: 'SELECT',
  service_eligibility: 'SELECT',
  calendar_entry: 'SELECT, INSERT, UPDATE, DELETE',
  busy_block: 'SELECT (tenant_id, professional_id, starts_at, ends_at)',
  // Which fields reception has changed: a link ends with the patient it was for.
  appointment_change: 'INSERT, SELECT (tenant_id, appointment_id, changes)',
  // A booking writes its event, and a delivery for each endpoint that wants it, of which it reads nothing that was said.
  webhook_endpoint: 'SELECT (id, tenant_id, url, events, ignore_actors, status, deleted_at)',
  webhook_event: 'INSERT',
  webhook_delivery:
    'INSERT, SELECT (id, tenant_id, endpoint_id, event_type, appointment_id, workflow_id, status)',
  outbox: 'INSERT',
  self_booking: 'SELECT, INSERT',
  clinic_usage: 'SELECT',
  usage_change: 'INSERT',
};

function letGuestsIn([table, rights]: [table: string, rights: string]): string {
  return `
    ALTER POLICY own_clinics ON ${table} TO ${CLINIC_ROLE}, ${GUEST_ROLE};
    GRANT ${rights} ON ${table} TO ${GUEST_ROLE};
  `;
}

/** Views of the same rows, what the limits for an address count, and the key that a clinic's texts are sealed with: sealed itself. */
const BESIDE = `
GRANT SELECT, INSERT, UPDATE, DELETE ON appointment TO ${GUEST_ROLE};
GRANT SELECT ON taken_time, blocked_time TO ${GUEST_ROLE};
GRANT SELECT, INSERT, UPDATE ON request_window TO ${GUEST_ROLE};
GRANT SELECT, INSERT ON clinic_key TO ${GUEST_ROLE};
DROP POLICY IF EXISTS guests ON clinic_key;
CREATE POLICY guests ON clinic_key TO ${GUEST_ROLE} USING (true);
`;

/**
 * Statements that keep a slot free lock its holder's key and its call, which a guest's hold does not have. No policy lets guests see a
 * row of either.
 */
const LOCKED = `
GRANT SELECT (id, tenant_id), UPDATE (id) ON api_key TO ${GUEST_ROLE};
GRANT SELECT (id, tenant_id, status), UPDATE (id) ON call TO ${GUEST_ROLE};
`;

/** Which clinic a public address or a patient's link is of, before its rows are within reach. */
const DOORS = `
CREATE OR REPLACE FUNCTION clinic_of_slug(of_slug text) RETURNS uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT id FROM tenant WHERE public_slug = of_slug AND public_booking_enabled AND status <> 'canceled'
$$;
CREATE OR REPLACE FUNCTION clinic_of_visit(of_id uuid) RETURNS uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT tenant_id FROM appointment WHERE id = of_id
$$;
REVOKE EXECUTE ON FUNCTION clinic_of_slug, clinic_of_visit FROM PUBLIC;
GRANT EXECUTE ON FUNCTION clinic_of_slug, clinic_of_visit TO ${GUEST_ROLE}, ${SERVICE_ROLE};
`;

/** Public pages get a role of their own. */
export class GuestsMigration extends NonBlockingMigration {
  override up(): void {
    for (const part of [ROLE, ...Object.entries(RIGHTS).map(letGuestsIn), BESIDE, LOCKED, DOORS])
      this.addSql(part);
  }
}
