#!/bin/sh
# Receives WAL as it is written, into the archive that a restore reads. The slot keeps what has not arrived yet, so nothing is
# missing after a stop, and the disk of the database fills when this stays away: docs/operations/alerts.md#walpilesup.
set -eu

archive=/backups/wal
mkdir -p "$archive" /backups/metrics
receiver=
trap '[ -z "$receiver" ] || kill "$receiver"; exit 0' TERM INT
pg_receivewal --slot=clinic_archive --create-slot --if-not-exists --no-password
pg_receivewal --directory="$archive" --slot=clinic_archive --synchronous --no-password &
receiver=$!

while kill -0 "$receiver" 2>/dev/null; do
  newest=$(find "$archive" -type f -printf '%T@\n' | sort -n | tail -n 1)
  printf 'backup_wal_received_timestamp_seconds %s\n' "${newest:-0}" >/backups/metrics/wal.prom.new
  mv /backups/metrics/wal.prom.new /backups/metrics/wal.prom
  sleep 10 &
  wait $!
done
wait "$receiver"
