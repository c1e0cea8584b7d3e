import type { DatabaseOptions } from '../db/connection/open-database.ts';

/** Many activities are under way at a time; scans go through whole clinics. */
export const WORKER_DATABASE = {
  poolSize: 16,
  statementTimeoutMs: 60_000,
  applicationName: 'worker',
} satisfies Partial<DatabaseOptions>;
