/**
 * What the exporters of docker-compose.yml, Temporal's server and the backup's job tell. `npm run test:containers` finds each of
 * them in a Prometheus that has scraped the real ones.
 */
export const GROUND_METRICS: readonly string[] = [
  'pg_stat_database_numbackends',
  'pg_settings_max_connections',
  'pg_stat_replication_pg_wal_lsn_diff',
  'pg_replication_slots_pg_wal_lsn_diff',
  'pg_replication_lag_seconds',
  'pg_wal_size_bytes',
  'node_filesystem_avail_bytes',
  'node_filesystem_size_bytes',
  'backup_completed_timestamp_seconds',
  'backup_wal_received_timestamp_seconds',
  'persistence_errors',
  'service_errors',
];
