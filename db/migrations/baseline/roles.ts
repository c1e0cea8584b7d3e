import { ADMISSION_ROLE, CLINIC_ROLE, SERVICE_ROLE } from '../clinic-walls.ts';

/**
 * Roles belong to the server, and another database of the service on it may have made them and given them away, even this
 * moment. Anyone who owns the tables sees every clinic, and may see one alone. docs/decisions/0024
 */
export const ROLES = `
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
  IF NOT pg_has_role('${SERVICE_ROLE}', 'USAGE') THEN
    BEGIN
      GRANT ${SERVICE_ROLE} TO CURRENT_USER WITH INHERIT TRUE;
    EXCEPTION WHEN unique_violation THEN
      NULL;
    END;
  END IF;
  IF NOT pg_has_role('${CLINIC_ROLE}', 'SET') THEN
    BEGIN
      GRANT ${CLINIC_ROLE} TO CURRENT_USER WITH INHERIT FALSE, SET TRUE;
    EXCEPTION WHEN unique_violation THEN
      NULL;
    END;
  END IF;
END
$$;

GRANT USAGE ON SCHEMA public TO ${CLINIC_ROLE}, ${ADMISSION_ROLE};
`;
