import { setTimeout as pause } from 'node:timers/promises';
import type { ReconcilePart, RowPosition, RowsWithWorkflow } from '../../domain/reconcile.ts';
import type { CommandContext } from '../command-context.ts';
import {
  appointmentsToReconcile,
  farAppointmentsToReconcile,
  overdueAppointments,
} from '../../db/reconcile/reconcile-appointments.ts';
import {
  deliveriesToReconcile,
  endpointsToReconcile,
  replaysToReconcile,
} from '../../db/reconcile/reconcile-webhooks.ts';
import type { ReconcilableRows, RowWithWorkflow } from '../../db/reconcile/reconcilable.ts';
import { markWhenOverdue } from '../appointments/mark-no-show.ts';
import type { LateAppointment } from '../../db/appointments/no-shows.ts';
import type { RunningWorkflows } from '../../adapters/temporal/running-workflows.ts';
import type { Database } from '../../db/connection/open-database.ts';

/** The longest pause. A page that takes longer is only waiting, so it does not load the database or Temporal. */
const MAX_REST_MS = 1000;
/**
 * Each page needs one list query, and Temporal allows 10 per second and namespace by default. This pace leaves half of
 * them for other clients.
 */
const PAGE_EVERY_MS = 200;

/**
 * Checks the next rows of a part, after a position, and repairs what it finds. After each page it pauses at least as
 * long as the page took, because clinics book meanwhile. docs/scale.md
 */
export async function reconcilePage(
  reconciliation: Reconciliation,
  part: ReconcilePart,
  after: RowPosition | null,
  context: CommandContext,
): Promise<ReconciledPage> {
  const begun = performance.now();
  const page = await (part === 'overdueNoShows'
    ? reconcileNoShows(reconciliation, after, context)
    : restartMissingWorkflows(reconciliation, part, after));
  const tookMs = performance.now() - begun;
  const leastMs = page.reached === null ? 0 : PAGE_EVERY_MS - tookMs;
  await pause(Math.max(leastMs, Math.min(tookMs, MAX_REST_MS)));
  return page;
}

const ROWS: Record<RowsWithWorkflow, ReconcilableRows> = {
  appointments: appointmentsToReconcile,
  farAppointments: farAppointmentsToReconcile,
  deliveries: deliveriesToReconcile,
  endpoints: endpointsToReconcile,
  replays: replaysToReconcile,
};

const NOTHING = { repaired: 0, failed: 0 };

/**
 * Checks the next rows that need a running workflow, and requests missing ones through the outbox. Temporal is asked
 * between transactions, so that none waits for it.
 */
export async function restartMissingWorkflows(
  reconciliation: Reconciliation,
  part: RowsWithWorkflow,
  after: RowPosition | null,
): Promise<ReconciledPage> {
  const { database, limit, before, runningWorkflows } = reconciliation;
  const kept = ROWS[part];
  const rows = await kept.page(database.em(), { after, limit, before });
  const missing = new Set(await runningWorkflows.missingAmong(rows.map(({ workflowId }) => workflowId)));
  const lost = rows.filter(({ workflowId }) => missing.has(workflowId));
  const restart = (some: readonly RowWithWorkflow[]) => {
    const ids = some.map(({ id }) => id);
    return database.write((em) => kept.restart(em, ids));
  };
  const found = await (lost.length === 0
    ? NOTHING
    : restart(lost).then(
        (repaired) => ({ repaired, failed: 0 }),
        // One by one, to find out which of them fail.
        () => repairEach(reconciliation, part, lost, (row) => restart([row])),
      ));
  return { reached: reachedBy(rows, limit), ...found };
}

/** Marks the next overdue no-shows, each in its own transaction. */
export async function reconcileNoShows(
  reconciliation: Reconciliation,
  after: RowPosition | null,
  context: CommandContext,
): Promise<ReconciledPage> {
  const { database, limit, before, onMarked } = reconciliation;
  const overdue = await overdueAppointments(database.em(), { after, limit, before });
  const mark = async ({ id: appointmentId, tenantId }: { id: string; tenantId: string }) => {
    const appointment = { tenantId, appointmentId };
    const lateMs = await database.write((em) => markWhenOverdue(em, appointment, context));
    if (lateMs === null) return 0;
    onMarked(appointment, lateMs);
    return 1;
  };
  const found = await repairEach(reconciliation, 'overdueNoShows', overdue, mark);
  return { reached: reachedBy(overdue, limit), ...found };
}

export interface Reconciliation {
  database: Database;
  runningWorkflows: RunningWorkflows;
  /** Younger rows and no-shows are left out. */
  before: Date;
  /** Rows per page; as many ids as fit into one list query to Temporal. */
  limit: number;
  onMarked: (appointment: LateAppointment, lateMs: number) => void;
  onFailed: (part: ReconcilePart, rowId: string, error: unknown) => void;
}

export interface Repairs {
  /** The number of repairs. */
  repaired: number;
  /** Rows that could not be repaired although the database answers; retried next time. */
  failed: number;
}

export interface ReconciledPage extends Repairs {
  /** The position of the last row checked; null after the last page. */
  reached: RowPosition | null;
}

/** Repairs rows one by one, so that a failing one does not block others. Rejects when the database is unavailable. */
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

/** The position of the last row; null when the page is not full. */
export function reachedBy(rows: readonly { position: RowPosition }[], limit: number): RowPosition | null {
  return rows.length < limit ? null : (rows.at(-1)?.position ?? null);
}
