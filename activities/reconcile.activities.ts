import { Context } from '@temporalio/activity';
import {
  reconcilePage,
  type ReconciledPage,
  type Reconciliation,
  type Repairs,
} from '../commands/reconcile/reconcile-page.ts';
import { settledBefore, type RowPosition, type ReconcilePart } from '../domain/reconcile.ts';
import { RECONCILE_SCHEDULE } from '../domain/temporal-names.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';

/** How many ids fit into one list query to Temporal. */
const ROWS_A_PAGE = 200;
const PAGES_AT_ONCE = 50;

export interface ReconcileProgress extends Repairs {
  isFinished: boolean;
  /** The position to continue after. */
  after: RowPosition | null;
}

export type ReconcileActivities = ReturnType<typeof createReconcileActivities>;

type ReconcileDependencies = Omit<ActivityDependencies, 'mailer' | 'retention' | 'onPruned'> & {
  rowsAPage?: number;
};

export function createReconcileActivities(dependencies: ReconcileDependencies) {
  return {
    /** Checks one part's rows after a position, page by page, and repairs what it finds. */
    async reconcile(input: { part: ReconcilePart; after: RowPosition | null }): Promise<ReconcileProgress> {
      const { part, after } = input;
      const context = Context.current();
      // How far an earlier run of this activity got.
      const progress: ReconcileProgress = context.info.heartbeatDetails ?? {
        isFinished: false,
        after,
        repaired: 0,
        failed: 0,
      };
      for (let pages = 0; pages < PAGES_AT_ONCE && !progress.isFinished; pages += 1) {
        // When this worker stops, another worker continues.
        if (context.cancellationSignal.aborted) break;
        context.heartbeat({ ...progress });
        const { reached, repaired, failed } = await reconcileNext(dependencies, part, progress.after);
        progress.after = reached;
        progress.isFinished = reached === null;
        progress.repaired += repaired;
        progress.failed += failed;
      }
      const { repaired, failed } = progress;
      dependencies.onReconciled({ part, repaired, failed });
      if (repaired + failed > 0) dependencies.logger.warn({ part, repaired, failed }, 'reconcile.repaired');
      return progress;
    },
  };
}

function reconcileNext(
  { logger, clock, onNoShow, rowsAPage: limit = ROWS_A_PAGE, ...dependencies }: ReconcileDependencies,
  part: ReconcilePart,
  after: RowPosition | null,
): Promise<ReconciledPage> {
  const now = clock();
  const context = { actor: `workflow:${RECONCILE_SCHEDULE}`, requestId: null, now };
  const reconciliation: Reconciliation = {
    ...dependencies,
    before: settledBefore(now),
    limit,
    onMarked({ appointmentId, tenantId }, lateMs) {
      logger.info({ appointmentId, tenantId }, 'appointment.no_show');
      onNoShow({ lateMs });
    },
    onFailed(_part, rowId, error) {
      Context.current().heartbeat();
      logger.error({ part, rowId, err: error }, 'reconcile.row_failed');
    },
  };
  return reconcilePage(reconciliation, part, after, context);
}
