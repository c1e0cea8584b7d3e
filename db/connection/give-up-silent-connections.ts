import type { Socket } from 'node:net';
import type { Connection, Pool, PoolClient } from 'pg';

/**
 * Breaks a connection in use on which PostgreSQL has said nothing for so long: a server that is frozen, or cut off without
 * a word, would hold its holder for ever. Whoever waits for it gets an error. A limit on the query alone (`query_timeout`
 * of the driver) would give the connection back in the middle of a transaction.
 */
export function giveUpSilentConnections(pool: Pool, longestSilenceMs: number): void {
  pool.on('connect', (client) => {
    const socket = socketOf(client);
    socket.on('timeout', () => socket.destroy());
  });
  pool.on('acquire', (client) => socketOf(client).setTimeout(longestSilenceMs));
  pool.on('release', (_error, client) => socketOf(client).setTimeout(0));
}

/** The types of the driver leave out where a client keeps its connection. */
function socketOf(client: PoolClient): Socket {
  return (client as PoolClient & { connection: Connection & { stream: Socket } }).connection.stream;
}
