import { setTimeout as pause } from 'node:timers/promises';
import type { RunningWorkflows } from '../../adapters/temporal/running-workflows.ts';
import type { Database } from '../../db/connection/open-database.ts';
import type { ReconcilePart, RowPosition } from '../../domain/reconcile.ts';
import type { Timings } from '../../domain/timings.ts';
import type { CommandContext } from '../command-context.ts';
import { reconcileNoShows, type ReconcileNoShows } from './reconcile-no-shows.ts';
import type { ReconciledPage } from './repair-each.ts';
import { restartMissingWorkflows } from './restart-missing-workflows.ts';

export interface Reconciliation extends Pick<ReconcileNoShows, 'onMarked'> {
  database: Database;
  runningWorkflows: RunningWorkflows;
  timings: Timings;
  /** Younger rows are left out. */
  before: Date;
  /** Rows a page; as many ids as fit well into one question to Temporal's list. */
  limit: number;
  onFailed: (part: ReconcilePart, rowId: string, error: unknown) => void;
}

/** A page that takes longer waits for a row or a server, and loads neither. */
const LONGEST_REST_MS = 1000;

/** Each page is followed by a rest as long as it took: clinics book meanwhile. docs/scale.md */
export async function reconcilePage(
  reconciliation: Reconciliation,
  part: ReconcilePart,
  after: RowPosition | null,
  context: CommandContext,
): Promise<ReconciledPage> {
  const begun = performance.now();
  const page = await putRight(reconciliation, part, after, context);
  await pause(Math.min(performance.now() - begun, LONGEST_REST_MS));
  return page;
}

/** Looks at the next rows of a part, after a position, and puts right what it finds. */
function putRight(
  { database, onMarked, ...reconciliation }: Reconciliation,
  part: ReconcilePart,
  after: RowPosition | null,
  context: CommandContext,
): Promise<ReconciledPage> {
  const onFailed = (rowId: string, error: unknown) => reconciliation.onFailed(part, rowId, error);
  const page = { ...reconciliation, after, onFailed };
  if (part !== 'overdueNoShows') return restartMissingWorkflows(database, { ...page, part });
  const { noShowGraceSeconds: graceSeconds } = page.timings;
  return reconcileNoShows(database, { ...page, graceSeconds, onMarked }, context);
}
