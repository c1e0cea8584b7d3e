import { connectTemporal, readTemporalConfig } from '../../adapters/temporal/connect-temporal.ts';
import { createRunningWorkflows } from '../../adapters/temporal/running-workflows.ts';
import { recordAudit, type CommandContext } from '../../commands/command-context.ts';
import { describeFailure } from '../../commands/diagnosis/describe-failure.ts';
import {
  reconcilePage,
  type ReconciledPage,
  type Reconciliation,
} from '../../commands/reconcile/reconcile-page.ts';
import {
  RECONCILE_PARTS,
  settledBefore,
  type ReconcilePart,
  type RowPosition,
} from '../../domain/reconcile.ts';
import { adminCommand } from '../admin-command.ts';
import { flag } from '../options.ts';

const ROWS_A_PAGE = 200;

/** docs/operations/reconcile.md */
export const reconcileCommand = adminCommand({
  words: 'reconcile',
  summary: 'Start missing workflows and mark overdue no-shows now instead of waiting for the schedule',
  options: { all: flag('also check rows from the last five minutes') },
  async run({ all }, dependencies) {
    const { environment, database, context, tell } = dependencies;
    await using temporal = connectTemporal(readTemporalConfig(environment));
    const reconciliation: Reconciliation = {
      database,
      runningWorkflows: {
        missingAmong: (ids) => temporal.ask((client) => createRunningWorkflows(client).missingAmong(ids)),
      },
      before: all ? context.now : settledBefore(context.now),
      limit: ROWS_A_PAGE,
      onMarked: () => undefined,
      onFailed: (part, rowId, error) => tell(`${part} ${rowId}: ${describeFailure(error)}`),
    };
    const details = await reconcileAll(reconciliation, context);
    const audited = { action: 'work.reconciled', tenantId: null, subjectId: null, details } as const;
    await recordAudit(database.em(), audited, context);
    return details;
  },
  succeeded: ({ failed }) => failed === 0,
});

/** The number of repairs per part, and of failed rows. */
async function reconcileAll(reconciliation: Reconciliation, context: CommandContext) {
  const parts = Object.fromEntries(RECONCILE_PARTS.map((part) => [part, 0])) as Record<ReconcilePart, number>;
  const done = { ...parts, failed: 0 };
  for (const part of RECONCILE_PARTS) {
    let after: RowPosition | null = null;
    do {
      const page: ReconciledPage = await reconcilePage(reconciliation, part, after, context);
      done[part] += page.repaired;
      done.failed += page.failed;
      after = page.reached;
    } while (after !== null);
  }
  return done;
}
