import type { Database } from '../../db/connection/open-database.ts';
import type { RowPosition } from '../../domain/reconcile.ts';

export interface Repairs {
  /** How much was put right. */
  repaired: number;
  /** How many rows could not be put right though the database answers; they are tried again the next time. */
  failed: number;
}

export interface ReconciledPage extends Repairs {
  /** The position of the last row; null at the end. */
  reached: RowPosition | null;
}

export type OnFailed = (rowId: string, error: unknown) => void;

/** Puts rows right one by one, so that one that throws keeps no other from it. Rejects when the database is away. */
export async function repairEach<R extends { id: string }>(
  database: Database,
  rows: readonly R[],
  repair: (row: R) => Promise<number>,
  onFailed: OnFailed,
): Promise<Repairs> {
  const sum = { repaired: 0, failed: 0 };
  for (const row of rows) {
    try {
      sum.repaired += await repair(row);
    } catch (error) {
      await database.ping();
      sum.failed += 1;
      onFailed(row.id, error);
    }
  }
  return sum;
}
