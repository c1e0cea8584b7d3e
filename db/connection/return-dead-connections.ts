import type { Pool, PoolClient } from 'pg';

/**
 * Frees the place of a connection that dies while a transaction holds it. The query builder would keep it: it gives a
 * connection back only after a ROLLBACK, which a dead connection cannot answer, and the pool would shrink for good.
 */
export function returnDeadConnections(pool: Pool): void {
  const watches = new WeakMap<PoolClient, () => void>();
  pool.on('acquire', (client) => {
    const giveBack = () => {
      client.release(true);
      // Its holder has yet to find out, and may give it back a second time.
      client.release = () => undefined;
    };
    watches.set(client, giveBack);
    client.once('end', giveBack);
  });
  pool.on('release', (_error, client) => {
    const giveBack = watches.get(client);
    if (giveBack) client.off('end', giveBack);
  });
}
