import type { RunningWorkflows } from '../../adapters/temporal/running-workflows.ts';
import type { Database } from '../../db/connection/open-database.ts';
import type { ReconcilePart, RowPosition } from '../../domain/reconcile.ts';
import type { Timings } from '../../domain/timings.ts';
import type { MarkNoShow } from '../appointments/mark-no-show.ts';

export interface Reconciliation {
  database: Database;
  runningWorkflows: RunningWorkflows;
  timings: Timings;
  /** Younger rows are left out, and no-shows that should have been marked later. */
  before: Date;
  /** Rows a page; as many ids as fit well into one question to Temporal's list. */
  limit: number;
  onMarked: (appointment: MarkNoShow, lateMs: number) => void;
  onFailed: (part: ReconcilePart, rowId: string, error: unknown) => void;
}

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

/** Puts rows right one by one, so that one that throws keeps no other from it. Rejects when the database is away. */
export async function repairEach<R extends { id: string }>(
  { database, onFailed }: Reconciliation,
  part: ReconcilePart,
  rows: readonly R[],
  repair: (row: R) => Promise<number>,
): Promise<Repairs> {
  const sum = { repaired: 0, failed: 0 };
  for (const row of rows) {
    try {
      sum.repaired += await repair(row);
    } catch (error) {
      await database.ping();
      sum.failed += 1;
      onFailed(part, row.id, error);
    }
  }
  return sum;
}

/** Null where a page is not full. */
export function reachedBy(rows: readonly { position: RowPosition }[], limit: number): RowPosition | null {
  return rows.length < limit ? null : (rows.at(-1)?.position ?? null);
}
