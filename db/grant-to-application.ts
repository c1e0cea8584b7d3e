import { escapeIdentifier } from 'pg';
import { withClient, DatabaseHosts } from './connection/hosts.ts';
import { CLINIC_ROLE, GUEST_ROLE, SERVICE_ROLE } from './migrations/clinic-walls.ts';

/**
 * Grants a role only the rights that the API, the worker and operators need. The role owns nothing, can read every
 * clinic's rows (until it switches to the role of requests), can add to and read the activity log, delete old access
 * log entries, and set the mode once. Safe to repeat; repeat it after each migration.
 * docs/operations/database-roles.md#a-role-apart-from-the-owner
 */
export async function grantToApplication(databaseUrl: string, role: string): Promise<void> {
  const to = escapeIdentifier(role);
  await withClient(new DatabaseHosts(databaseUrl), { application_name: 'grant' }, (client) =>
    client.query(`
      BEGIN;
      GRANT USAGE ON SCHEMA public TO ${to};
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${to};
      REVOKE UPDATE, DELETE ON audit_event FROM ${to};
      REVOKE UPDATE ON patient_read FROM ${to};
      REVOKE UPDATE, DELETE ON deployment FROM ${to};
      REVOKE INSERT, UPDATE, DELETE ON mikro_orm_migrations FROM ${to};
      GRANT ${SERVICE_ROLE} TO ${to} WITH INHERIT TRUE;
      GRANT ${CLINIC_ROLE}, ${GUEST_ROLE} TO ${to} WITH INHERIT FALSE, SET TRUE;
      COMMIT`),
  );
}
