#!/bin/sh
# Creates the namespace unless it is there. A server that has just opened its port needs a moment more, so it tries again.
set -eu

attempts_left=60
until temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" ||
  temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention 720h; do
  attempts_left=$((attempts_left - 1))
  [ "$attempts_left" -gt 0 ] || exit 1
  sleep 2
done
