#!/bin/sh
# Runs before every migration, as the superuser: the roles of the walls between clinics, which the owner hands on, and for each process
# a login with its own password and no more rights than it needs. docs/operations.md, "Walls between clinics". Safe to repeat.
set -eu

psql --set ON_ERROR_STOP=1 --dbname clinic \
  --set api_password="$CLINIC_API_DB_PASSWORD" \
  --set worker_password="$CLINIC_WORKER_DB_PASSWORD" \
  --set dashboard_password="$CLINIC_DASHBOARD_DB_PASSWORD" \
  --set public_password="$CLINIC_PUBLIC_DB_PASSWORD" <<'SQL'
DO $$
DECLARE
  wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['clinic_tenant', 'clinic_service', 'clinic_admission', 'clinic_guest'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted) THEN
      EXECUTE format('CREATE ROLE %I', wanted);
    END IF;
  END LOOP;
  FOREACH wanted IN ARRAY ARRAY['clinic_api', 'clinic_worker', 'clinic_dashboard', 'clinic_public'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted) THEN
      EXECUTE format('CREATE ROLE %I LOGIN', wanted);
    END IF;
  END LOOP;
END
$$;
GRANT clinic_tenant, clinic_service, clinic_admission, clinic_guest TO clinic WITH ADMIN OPTION;
ALTER ROLE clinic_api PASSWORD :'api_password';
ALTER ROLE clinic_worker PASSWORD :'worker_password';
ALTER ROLE clinic_dashboard PASSWORD :'dashboard_password';
ALTER ROLE clinic_public PASSWORD :'public_password';
-- The last one to see which transactions of the other logins are under way, which `syncedUntil` of a list rests on.
GRANT clinic_tenant, clinic_admission, pg_read_all_stats TO clinic_api;
GRANT clinic_app TO clinic_worker, clinic_dashboard;
GRANT clinic_guest TO clinic_public;
GRANT CONNECT ON DATABASE clinic TO clinic_api, clinic_worker, clinic_dashboard, clinic_public;
SQL
