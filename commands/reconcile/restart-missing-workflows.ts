import { appointmentsToReconcile } from '../../db/reconcile/reconcile-appointments.ts';
import { deliveriesToReconcile } from '../../db/reconcile/reconcile-deliveries.ts';
import { endpointsToReconcile } from '../../db/reconcile/reconcile-endpoints.ts';
import { replaysToReconcile } from '../../db/reconcile/reconcile-replays.ts';
import type { ReconcilableRows, RowWithWorkflow } from '../../db/reconcile/reconcilable.ts';
import type { RowPosition, RowsWithWorkflow } from '../../domain/reconcile.ts';
import { reachedBy, repairEach, type ReconciledPage, type Reconciliation } from './repair-each.ts';

const ROWS: Record<RowsWithWorkflow, ReconcilableRows> = {
  appointments: appointmentsToReconcile,
  deliveries: deliveriesToReconcile,
  endpoints: endpointsToReconcile,
  replays: replaysToReconcile,
};

const NOTHING = { repaired: 0, failed: 0 };

/**
 * Looks at the next rows that should each have a running workflow, and asks for the workflows that are missing, through
 * the outbox. Temporal is asked between the transactions, so none of them waits for it.
 */
export async function restartMissingWorkflows(
  reconciliation: Reconciliation,
  part: RowsWithWorkflow,
  after: RowPosition | null,
): Promise<ReconciledPage> {
  const { database, limit, before, timings, runningWorkflows } = reconciliation;
  const kept = ROWS[part];
  const rows = await kept.page(database.em(), { after, limit, before });
  const missing = new Set(await runningWorkflows.missingAmong(rows.map(({ workflowId }) => workflowId)));
  const lost = rows.filter(({ workflowId }) => missing.has(workflowId));
  const restart = (some: readonly RowWithWorkflow[]) => {
    const ids = some.map(({ id }) => id);
    return database.write((em) => kept.restart(em, ids, timings));
  };
  const found = await (lost.length === 0
    ? NOTHING
    : restart(lost).then(
        (repaired) => ({ repaired, failed: 0 }),
        // Which of them cannot be restarted shows when each is by itself.
        () => repairEach(reconciliation, part, lost, (row) => restart([row])),
      ));
  return { reached: reachedBy(rows, limit), ...found };
}
