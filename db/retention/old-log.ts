import { sql } from 'kysely';
import type { EntityManager } from '../connection/open-database.ts';

interface Wanted {
  olderThanDays: number;
  limit: number;
}

/** Forgets what receivers answered to attempts of that age. Returns how many answers; fewer than `limit`: none is left. */
export async function pruneExcerpts(em: EntityManager, { olderThanDays, limit }: Wanted): Promise<number> {
  const { numAffectedRows } = await sql`
    UPDATE webhook_attempt
    SET response_excerpt = NULL
    WHERE (delivery_id, number) IN (
      SELECT delivery_id, number
      FROM webhook_attempt
      WHERE response_excerpt <> ''
        AND started_at < now() - make_interval(days => ${olderThanDays})
      ORDER BY started_at
      LIMIT ${limit}
      FOR NO KEY UPDATE SKIP LOCKED
    )
  `.execute(em.getKysely());
  return Number(numAffectedRows ?? 0);
}

/** Removes audit entries of that age, 366 days or more. Returns how many; fewer than `limit`: none is left. */
export async function pruneAudit(em: EntityManager, { olderThanDays, limit }: Wanted): Promise<number> {
  const { rows } = await sql<{ pruned: number }>`
    SELECT prune_audit_events(${olderThanDays}, ${limit}) AS pruned
  `.execute(em.getKysely());
  return rows[0]?.pruned ?? 0;
}
