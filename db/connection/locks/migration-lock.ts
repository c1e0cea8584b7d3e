import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { withClient } from '../hosts/client-of-hosts.ts';
import type { DatabaseHosts } from '../hosts/database-hosts.ts';

const ASKED_AGAIN_AFTER_MS = 100;

/**
 * Runs `work` while no other migrator of this database is at work, waiting for it as long as it takes. The lock belongs to
 * a connection and ends with it.
 */
export function withMigrationLock<Result>(hosts: DatabaseHosts, work: () => Promise<Result>) {
  return withClient(hosts, { keepAlive: true, application_name: 'migration-lock' }, async (client) => {
    // A statement that waits holds a snapshot, for which CREATE INDEX CONCURRENTLY of the other one would wait in turn.
    while (!(await isTaken(client))) await delay(ASKED_AGAIN_AFTER_MS);
    return work();
  });
}

async function isTaken(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(
    `SELECT pg_try_advisory_lock(hashtextextended('clinic.migrations', 0)) AS taken`,
  );
  return rows[0]?.taken ?? false;
}
