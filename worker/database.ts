import type { DatabaseOptions } from '../db/connection/open-database.ts';

/** Deliveries under way share the connections with the outbox dispatcher; scans go through whole clinics. */
export const WORKER_DATABASE = {
  poolSize: 16,
  statementTimeoutMs: 60_000,
  prefersIndexes: true,
  applicationName: 'worker',
} satisfies Partial<DatabaseOptions>;
