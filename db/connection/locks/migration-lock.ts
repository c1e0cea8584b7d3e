import { setTimeout as delay } from 'node:timers/promises';
import { answerOf, withClient } from '../hosts/client-of-hosts.ts';
import type { DatabaseHosts } from '../hosts/database-hosts.ts';

const ASKED_AGAIN_AFTER_MS = 100;
const TAKE = `SELECT pg_try_advisory_lock(hashtextextended('clinic.migrations', 0))`;

/**
 * Runs `work` while no other migrator of this database is at work, waiting for it as long as it takes. The lock belongs to
 * a connection and ends with it.
 */
export function withMigrationLock<Result>(hosts: DatabaseHosts, work: () => Promise<Result>) {
  return withClient(hosts, { keepAlive: true, application_name: 'migration-lock' }, async (client) => {
    // A statement that waits holds a snapshot, for which CREATE INDEX CONCURRENTLY of the other one would wait in turn.
    while (!(await answerOf<boolean>(client, TAKE))) await delay(ASKED_AGAIN_AFTER_MS);
    return work();
  });
}
