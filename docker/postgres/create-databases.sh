#!/bin/sh
# Runs once, when the volume is empty: an account that owns the service's database, one that operators use, another
# with databases of its own for Temporal, one that sees how the server is, and one that copies it. The job `logins` makes
# those of the processes.
set -eu

psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
  --set clinic_password="$CLINIC_DB_PASSWORD" \
  --set application_password="$CLINIC_APP_DB_PASSWORD" \
  --set temporal_password="$TEMPORAL_DB_PASSWORD" \
  --set monitoring_password="$MONITORING_DB_PASSWORD" \
  --set backup_password="$BACKUP_DB_PASSWORD" <<'SQL'
CREATE ROLE clinic LOGIN PASSWORD :'clinic_password';
CREATE ROLE clinic_app LOGIN PASSWORD :'application_password';
CREATE ROLE temporal LOGIN PASSWORD :'temporal_password';
CREATE ROLE monitoring LOGIN PASSWORD :'monitoring_password';
GRANT pg_monitor TO monitoring;
CREATE ROLE backup LOGIN REPLICATION PASSWORD :'backup_password';
CREATE DATABASE clinic OWNER clinic;
CREATE DATABASE temporal OWNER temporal;
CREATE DATABASE temporal_visibility OWNER temporal;
REVOKE CONNECT, TEMPORARY ON DATABASE clinic, temporal, temporal_visibility FROM PUBLIC;
GRANT CONNECT ON DATABASE clinic TO clinic_app;
SQL

# Whoever copies the server comes from a container beside it.
echo 'host replication backup samenet scram-sha-256' >>"$PGDATA/pg_hba.conf"
