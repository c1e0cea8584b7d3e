import { Context } from '@temporalio/activity';
import type { Logger } from '../adapters/logger.ts';
import type { RunningWorkflows } from '../adapters/temporal/running-workflows.ts';
import { reconcileNoShows } from '../commands/reconcile/reconcile-no-shows.ts';
import { reconcileRows, type ReconciledPage } from '../commands/reconcile/reconcile-rows.ts';
import type { Database } from '../db/connection/open-database.ts';
import type { Place, ReconcilePart } from '../domain/reconcile.ts';
import { RECONCILE_SCHEDULE } from '../domain/temporal-names.ts';
import type { Timings } from '../domain/timings.ts';

/** As many ids as fit well into one question to Temporal's list. */
const ROWS_A_PAGE = 200;
const PAGES_AT_ONCE = 50;

export interface ReconcileProgress {
  isFinished: boolean;
  /** The place after which to go on. */
  after: Place | null;
  /** How much was put right. */
  repaired: number;
}

export interface ReconcileActivities {
  /** Looks at one part's rows after a place, page by page, and puts right what it finds. */
  reconcile(input: { part: ReconcilePart; after: Place | null }): Promise<ReconcileProgress>;
}

export interface ReconcileDependencies {
  database: Database;
  runningWorkflows: RunningWorkflows;
  timings: Timings;
  logger: Logger;
  clock: () => Date;
  /** 200 unless told. */
  rowsAPage?: number;
}

export function createReconcileActivities(dependencies: ReconcileDependencies): ReconcileActivities {
  return {
    async reconcile({ part, after }) {
      const activity = Context.current();
      const progress: ReconcileProgress = { isFinished: false, after, repaired: 0 };
      for (let pages = 0; pages < PAGES_AT_ONCE && !progress.isFinished; pages += 1) {
        // A worker that stops leaves the rest to another one.
        if (activity.cancellationSignal.aborted) break;
        activity.heartbeat();
        const { reached, repaired } = await reconcilePage(dependencies, part, progress.after);
        progress.after = reached;
        progress.isFinished = reached === null;
        progress.repaired += repaired;
      }
      if (progress.repaired > 0)
        dependencies.logger.warn({ part, repaired: progress.repaired }, 'reconcile.repaired');
      return progress;
    },
  };
}

function reconcilePage(
  { database, runningWorkflows, timings, clock, rowsAPage: limit = ROWS_A_PAGE }: ReconcileDependencies,
  part: ReconcilePart,
  after: Place | null,
): Promise<ReconciledPage> {
  const now = clock();
  if (part === 'overdueNoShows') {
    const context = { actor: `workflow:${RECONCILE_SCHEDULE}`, requestId: null, now };
    return reconcileNoShows(database, { after, limit, graceSeconds: timings.noShowGraceSeconds }, context);
  }
  return reconcileRows(database, { part, after, limit, now, timings, runningWorkflows });
}
