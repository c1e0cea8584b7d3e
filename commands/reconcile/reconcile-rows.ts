import type { RunningWorkflows } from '../../adapters/temporal/running-workflows.ts';
import { appointmentsToReconcile } from '../../db/reconcile/reconcile-appointments.ts';
import { deliveriesToReconcile } from '../../db/reconcile/reconcile-deliveries.ts';
import { endpointsToReconcile } from '../../db/reconcile/reconcile-endpoints.ts';
import { replaysToReconcile } from '../../db/reconcile/reconcile-replays.ts';
import type { ReconcilableRows } from '../../db/reconcile/reconcile-rows.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { settledBefore, type Place, type RowsWithWorkflow } from '../../domain/reconcile.ts';
import type { Timings } from '../../domain/timings.ts';

const ROWS: Record<RowsWithWorkflow, ReconcilableRows> = {
  appointments: appointmentsToReconcile,
  deliveries: deliveriesToReconcile,
  endpoints: endpointsToReconcile,
  replays: replaysToReconcile,
};

export interface ReconcileRows {
  part: RowsWithWorkflow;
  after: Place | null;
  limit: number;
  now: Date;
  timings: Timings;
  runningWorkflows: RunningWorkflows;
}

export interface ReconciledPage {
  /** The place of the last row; null at the end. */
  reached: Place | null;
  /** How much was put right. */
  repaired: number;
}

/**
 * Looks at the next rows that should each have a running workflow, and asks for the workflows that are missing, through
 * the outbox. Temporal is asked between the transactions, so none of them waits for it.
 */
export async function reconcileRows(
  database: Database,
  { part, after, limit, now, timings, runningWorkflows }: ReconcileRows,
): Promise<ReconciledPage> {
  const kept = ROWS[part];
  const rows = await kept.page(database.em(), { after, limit, before: settledBefore(now) });
  const missing = new Set(await runningWorkflows.missingAmong(rows.map(({ workflowId }) => workflowId)));
  const ids = rows.filter(({ workflowId }) => missing.has(workflowId)).map(({ id }) => id);
  const repaired = ids.length > 0 ? await database.write((em) => kept.restart(em, ids, timings)) : 0;
  return { reached: rows.length < limit ? null : (rows.at(-1)?.place ?? null), repaired };
}
