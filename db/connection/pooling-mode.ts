import type { Client } from 'pg';
import { newClient, DatabaseHosts } from './hosts.ts';

const LIMIT_MS = 3000;
const MARK = 'app.pooling_mode';

/** A pooler between the process and PostgreSQL changes the session with each transaction. */
export class TransactionPoolingError extends Error {
  override readonly name = 'TransactionPoolingError';

  constructor() {
    super(
      'DATABASE_URL leads to a pooler in transaction mode, in which session settings (time limits), ' +
        'prepared statements and LISTEN do not last longer than a transaction. Use session mode (pgbouncer: pool_mode = session).',
    );
  }
}

/**
 * Whether an idle session is still the same after another one had a transaction: a pooler in transaction mode gives the
 * free one to anyone.
 */
export async function keepsSessions(databaseUrl: string): Promise<boolean> {
  const hosts = new DatabaseHosts(databaseUrl);
  const how = {
    connectionTimeoutMillis: LIMIT_MS,
    query_timeout: LIMIT_MS,
    application_name: 'pooling mode',
  };
  const [kept, other] = [newClient(hosts, how), newClient(hosts, how)];
  try {
    await kept.connect();
    await kept.query(`SET ${MARK} = 'kept'`);
    const before = await sessionOf(kept);
    await other.connect();
    await other.query('BEGIN');
    const beside = await sessionOf(other);
    const after = await sessionOf(kept);
    const isShared = beside.pid === before.pid || beside.mark === 'kept';
    return !isShared && after.pid === before.pid && after.mark === 'kept';
  } finally {
    await Promise.all([kept.end(), other.end()]);
  }
}

async function sessionOf(client: Client): Promise<{ pid: number; mark: string | null }> {
  const { rows } = await client.query<{ pid: number; mark: string | null }>(
    `SELECT pg_backend_pid() AS pid, current_setting('${MARK}', true) AS mark`,
  );
  if (!rows[0]) throw new Error('PostgreSQL returned no process ID for the session');
  return rows[0];
}
