#!/bin/sh
# Exchanges the containers of these services for ones of the image that is there now, one by one: the new one is healthy before
# an old one is told to stop. docs/operations/roll-out-a-version.md#in-containers.
set -eu

[ $# -gt 0 ] || { echo "usage: docker/roll.sh SERVICE…, such as: docker/roll.sh worker api" >&2; exit 2; }

for service in "$@"; do
  old=$(docker compose ps --quiet "$service")
  [ -n "$old" ] || { echo "$service does not run" >&2; exit 1; }
  one_more=$(($(echo "$old" | wc -l) + 1))
  for container in $old; do
    docker compose up --detach --no-deps --no-recreate --no-build --wait --scale "$service=$one_more" "$service"
    docker stop --time 30 "$container" >/dev/null
    docker rm "$container" >/dev/null
  done
  echo "$service: every container is a new one"
done
