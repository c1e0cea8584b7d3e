import type { Pool, PoolClient } from 'pg';

/** A statement that begins so is planned once a connection. It must name its result columns, which migrations may add to. */
const MARK = /^\s*\/\* prepared: ([a-z-]+) \*\//;

/**
 * Sends the statements marked `/* prepared: name *\/` under that name, so that PostgreSQL parses and plans them once a
 * connection: for a booking that is a third of its work. One name must always stand for one text.
 */
export function prepareHotStatements(pool: Pool): void {
  pool.on('connect', (client: PoolClient) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const named = (text: unknown, values: unknown, ...rest: unknown[]) => {
      const name = typeof text === 'string' ? MARK.exec(text)?.[1] : undefined;
      return name === undefined ? query(text, values, ...rest) : query({ name, text, values }, ...rest);
    };
    client.query = named as PoolClient['query'];
  });
}
