/** `npm ci` where there is no network: the packages were fetched before. */
export const NPM = `#!/bin/sh
set -eu
case "$1" in
  ci) cp -a /opt/node_modules ./node_modules ;;
  cache) ;;
  *) echo "npm $1: not here" >&2; exit 1 ;;
esac
`;

/** What the image of PostgreSQL does of its entrypoint: the cluster, the init scripts once, and the server. */
export const ENTRYPOINT_OF_POSTGRES = `#!/bin/sh
set -eu
[ "$1" = postgres ] || exec "$@"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  chmod 700 "$PGDATA"
  echo "$POSTGRES_PASSWORD" > /tmp/password
  initdb --pgdata="$PGDATA" --username="$POSTGRES_USER" --pwfile=/tmp/password --auth-host=scram-sha-256 --auth-local=trust --encoding=UTF8 \\
    --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8
  rm /tmp/password
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  printf "listen_addresses = '*'\\nunix_socket_directories = '/var/run/postgresql'\\n" >> "$PGDATA/postgresql.conf"
  pg_ctl --pgdata="$PGDATA" --options='-c listen_addresses=' --wait start
  for script in /docker-entrypoint-initdb.d/*.sh; do
    sh "$script"
  done
  pg_ctl --pgdata="$PGDATA" --mode=fast --wait stop
fi
exec "$@"
`;

/** Temporal's own entrypoint, without the shell option that Debian's shell does not have. */
export const ENTRYPOINT_OF_TEMPORAL = `#!/bin/sh
set -eu
exec temporal-server start
`;
