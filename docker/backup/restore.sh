#!/bin/sh
# Puts the database back to a moment, such as '2026-01-31 12:00:00+00', or to the "latest" that the archive holds. PostgreSQL and the
# archive must be stopped. What was there is kept beside it, and the archive begins anew: docs/operations/restore-a-backup.md.
set -eu

[ $# -eq 1 ] || {
  echo "usage: restore.sh 'YYYY-MM-DD hh:mm:ss+00' | latest" >&2
  exit 2
}
moment=$1
[ ! -e "$PGDATA/postmaster.pid" ] || {
  echo "PostgreSQL runs, or was killed: stop it, or remove $PGDATA/postmaster.pid" >&2
  exit 1
}

# Names of base backups sort as their times do.
before=$(date --utc --date="$([ "$moment" = latest ] && echo now || echo "$moment")" +%Y-%m-%dT%H%M%SZ)
base=$(find /backups/base -mindepth 1 -maxdepth 1 -name '2*Z' -printf '%f\n' | sort | awk -v before="$before" '$0 <= before' | tail -n 1)
[ -n "$base" ] || {
  echo "no base backup is older than $moment" >&2
  exit 1
}

now=$(date --utc +%Y-%m-%dT%H%M%SZ)
archive="/backups/wal.before-$now"
mv /backups/wal "$archive"
[ ! -d "$PGDATA" ] || mv "$PGDATA" "$PGDATA.before-$now"
mkdir -p "$(dirname "$PGDATA")"
cp -a "/backups/base/$base" "$PGDATA"
chmod 700 "$PGDATA"
# Struck out again when the moment is reached: a standby that is copied from this server would go by them too, and stop there.
of_restore='^(restore_command|recovery_target|recovery_end_command)'
sed -E -i "/$of_restore/d" "$PGDATA/postgresql.auto.conf"
# The last segment was still being received when everything stopped.
cat >>"$PGDATA/postgresql.auto.conf" <<CONF
restore_command = 'cp $archive/%f %p || cp $archive/%f.partial %p'
recovery_target_action = 'promote'
recovery_end_command = 'sed -E -i "/$of_restore/d" postgresql.auto.conf'
CONF
[ "$moment" = latest ] || echo "recovery_target_time = '$moment'" >>"$PGDATA/postgresql.auto.conf"
touch "$PGDATA/recovery.signal"
echo "restored from $base; PostgreSQL goes on to $moment when it starts"
