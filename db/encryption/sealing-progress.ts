import { sql } from 'kysely';
import { firstRow, rowsOf, run, type EntityManager } from '../connection/statements.ts';

/** How far a table has been gone through, so that no row is left that is not sealed as it is to be. */
export interface SealingProgress {
  /** The key of the last row looked at; null: from the beginning. */
  position: string[] | null;
  /** Rows of this round that somebody held, or that no key opened. */
  leftOver: number;
}

/** Null when it is done, or its next round is not due yet; or somebody else is at it, unless that is waited for. */
export async function takeSealingTurn(em: EntityManager, table: string, { waits }: { waits: boolean }) {
  await run(em)`INSERT INTO sealing_progress (table_name) VALUES (${table}) ON CONFLICT DO NOTHING`;
  return firstRow<SealingProgress>(em)`
    SELECT position, CASE WHEN position IS NULL THEN 0 ELSE left_over END AS "leftOver"
    FROM sealing_progress
    WHERE table_name = ${table} AND done_at IS NULL AND next_at <= now()
    FOR UPDATE ${waits ? sql`` : sql`SKIP LOCKED`}
  `;
}

/** A round that has left nothing over is the last one; else the next begins in an hour. */
export async function saveSealingProgress(
  em: EntityManager,
  table: string,
  { position, leftOver }: SealingProgress,
): Promise<void> {
  const isOver = position === null;
  await run(em)`
    UPDATE sealing_progress
    SET position = ${position}, left_over = ${leftOver},
      next_at = CASE WHEN ${isOver && leftOver > 0} THEN now() + interval '1 hour' ELSE '-infinity' END,
      done_at = CASE WHEN ${isOver && leftOver === 0} THEN now() END
    WHERE table_name = ${table}
  `;
}

/** Begins anew, whatever was done, and waits for who is at it. */
export function restartSealing(em: EntityManager, table: string) {
  return run(em)`
    INSERT INTO sealing_progress (table_name) VALUES (${table})
    ON CONFLICT (table_name) DO UPDATE SET position = NULL, left_over = 0, next_at = '-infinity', done_at = NULL
  `;
}

/** The tables of which nothing is left to be sealed. */
export async function sealedThroughout(em: EntityManager): Promise<Set<string>> {
  const rows = await rowsOf<{ table: string }>(em)`
    SELECT table_name AS "table" FROM sealing_progress WHERE done_at IS NOT NULL
  `;
  return new Set(rows.map(({ table }) => table));
}
