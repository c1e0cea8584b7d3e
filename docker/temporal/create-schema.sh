#!/bin/sh
# Creates the tables of Temporal's two databases or brings them up to date; safe to repeat. The account: SQL_* variables.
set -eu

bring_up_to_date() {
  temporal-sql-tool --db "$1" setup-schema -v 0.0
  temporal-sql-tool --db "$1" update-schema -d "/etc/temporal/schema/postgresql/v12/$2/versioned"
}

bring_up_to_date temporal temporal
bring_up_to_date temporal_visibility visibility
