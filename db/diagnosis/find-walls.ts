import { onlyRow, onlyValue, type EntityManager } from '../connection/statements.ts';

/** How a session of requests stands before the walls, which `../migrations/clinic-walls.ts` builds. */
interface OwnSession {
  role: string;
  /** Row-level security does not hold for it. */
  seesAll: boolean;
}

/** @param em of some clinics */
export function findOwnSession(em: EntityManager) {
  return onlyRow<OwnSession>(em)`
    SELECT rolname AS role, rolsuper OR rolbypassrls OR pg_has_role('clinic_service', 'USAGE') AS "seesAll"
    FROM pg_roles
    WHERE rolname = current_user
  `;
}

/** Whether every clinic's rows are seen, and not only those that a session names. */
export function seesEveryClinic(em: EntityManager) {
  return onlyValue<boolean>(em)`SELECT pg_has_role('clinic_service', 'USAGE')`;
}

interface Walls {
  /** How many tables hold rows of clinics. */
  tables: number;
  /** Tables that nothing keeps apart by clinics, and views that show such rows with their owner's rights and no condition. */
  bare: string[];
}

export function findWalls(em: EntityManager) {
  return onlyRow<Walls>(em)`
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
