import { z } from 'zod';
import { onlyRow, onlyValue, type EntityManager } from '../connection/statements.ts';

/** How row-level security applies to the sessions of requests: `../migrations/clinic-walls.ts`. */
const OWN_SESSION = z.object({
  role: z.string(),
  /** Whether row-level security does not apply to the session. */
  seesAll: z.boolean(),
});

/** @param em with a scope */
export function findOwnSession(em: EntityManager) {
  return onlyRow(em, OWN_SESSION)`
    SELECT rolname AS role, rolsuper OR rolbypassrls OR pg_has_role('clinic_service', 'USAGE') AS sees_all
    FROM pg_roles
    WHERE rolname = current_user
  `;
}

/** Whether every clinic's rows are visible, not only those in scope. */
export function seesEveryClinic(em: EntityManager) {
  return onlyValue(em, z.boolean())`SELECT pg_has_role('clinic_service', 'USAGE')`;
}

const WALLS = z.object({
  /** The number of tables with clinics' rows. */
  tables: z.number(),
  /** Tables without a row policy, and views that show such rows with their owner's rights and without a condition. */
  bare: z.array(z.string()),
});

export function findWalls(em: EntityManager) {
  return onlyRow(em, WALLS)`
    WITH relation AS (
      SELECT oid, relname, relkind, relrowsecurity, reloptions
      FROM pg_class
      WHERE relnamespace = 'public'::regnamespace
        AND relkind IN ('r', 'p', 'v', 'm')
        AND (
          relname IN ('tenant', 'outbox')
          OR EXISTS (SELECT FROM pg_attribute WHERE attrelid = pg_class.oid AND attname = 'tenant_id' AND NOT attisdropped)
        )
    )
    SELECT
      count(*) FILTER (WHERE relkind IN ('r', 'p'))::integer AS tables,
      coalesce(array_agg(relname::text ORDER BY relname) FILTER (WHERE NOT CASE
        WHEN relkind IN ('r', 'p') THEN relrowsecurity AND EXISTS (
          SELECT FROM pg_policy WHERE polrelid = relation.oid AND polname = 'own_clinics'
        )
        ELSE 'security_invoker=true' = ANY(reloptions) IS TRUE OR pg_get_viewdef(oid) LIKE '%app.tenant_ids%'
      END), '{}') AS bare
    FROM relation
  `;
}
