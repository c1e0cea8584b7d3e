#!/bin/sh
# One base backup, looked through and whole, or none. With "every" as its argument one each BACKUP_EVERY_HOURS.
set -eu

keep_days=${BACKUP_KEEP_DAYS:-14}

back_up() {
  name=$(date --utc +%Y-%m-%dT%H%M%SZ)
  unfinished=/backups/base/.$name
  mkdir -p /backups/base /backups/metrics
  find /backups/base -maxdepth 1 -name '.*T*Z' -exec rm -rf {} +
  pg_basebackup --pgdata="$unfinished" --wal-method=stream --checkpoint=fast --no-password
  pg_verifybackup --quiet "$unfinished"
  mv "$unfinished" "/backups/base/$name"
  let_go
  printf 'backup_completed_timestamp_seconds %s\n' "$(date +%s)" >/backups/metrics/base.prom.new
  mv /backups/metrics/base.prom.new /backups/metrics/base.prom
  echo "base backup $name"
}

# Of base backups that are too old all but the last, and the WAL that no base backup needs any more.
let_go() {
  find /backups/base -mindepth 1 -maxdepth 1 -name '2*Z' -mtime "+$keep_days" | sort | head -n -1 | xargs --no-run-if-empty rm -rf
  oldest=$(find /backups/base -mindepth 1 -maxdepth 1 -name '2*Z' | sort | head -n 1)
  first=$(sed -n 's/^START WAL LOCATION: .*(file \([0-9A-F]*\))$/\1/p' "$oldest/backup_label")
  [ -z "$first" ] || pg_archivecleanup /backups/wal "$first"
}

back_up
while [ "${1:-once}" = every ]; do
  sleep "$((${BACKUP_EVERY_HOURS:-24} * 3600))" &
  wait $!
  back_up
done
