import { z } from 'zod';
import { changedRows, onlyValue, type EntityManager } from '../connection/statements.ts';

interface Wanted {
  olderThanDays: number;
  limit: number;
}

/**
 * Deletes the receivers' responses to attempts of that age. Returns how many; fewer than `limit` means that none is
 * left.
 */
export function pruneExcerpts(em: EntityManager, { olderThanDays, limit }: Wanted) {
  return changedRows(em)`
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
  `;
}

/**
 * Deletes audit entries of that age, 366 days or more. Returns how many; fewer than `limit` means that none is left.
 */
export function pruneAudit(em: EntityManager, { olderThanDays, limit }: Wanted) {
  return onlyValue(em, z.number())`
    SELECT prune_audit_events(${olderThanDays}, ${limit}) AS pruned
  `;
}
