import type { EntityManager } from '../../../db/connection/open-database.ts';

/**
 * The shortest time in which 31 requests of the newest key were accepted, in seconds, however long it took to send them;
 * null when there are not so many.
 */
export async function shortestSpanOf31(em: EntityManager): Promise<number | null> {
  const [row] = await em.execute<[{ seconds: number | null }]>(
    `SELECT min(extract(epoch FROM accepted[n + 30] - accepted[n]))::float8 AS seconds
     FROM request_window, generate_subscripts(accepted, 1) AS n
     WHERE n + 30 <= cardinality(accepted) AND subject = (SELECT 'key:' || id FROM api_key ORDER BY id DESC LIMIT 1)`,
  );
  return row.seconds;
}
