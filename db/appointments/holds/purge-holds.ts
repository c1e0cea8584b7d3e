import { changedRows, type EntityManager } from '../../connection/statements.ts';

/**
 * Removes some holds whose time came a day ago, and returns how many: until then a late booking learns that its hold is over.
 * Purges that run at the same time do not wait for each other.
 */
export function purgeHolds(em: EntityManager, atMost: number): Promise<number> {
  return changedRows(em)`
    DELETE FROM calendar_entry
    WHERE id IN (
      SELECT id
      FROM calendar_entry
      WHERE status = 'held'
        AND hold_expires_at < now() - interval '1 day'
      ORDER BY hold_expires_at
      LIMIT ${atMost}
      FOR UPDATE SKIP LOCKED
    )
  `;
}
