import { setTimeout as pause } from 'node:timers/promises';
import type { ReconcilePart, RowPosition } from '../../domain/reconcile.ts';
import type { CommandContext } from '../command-context.ts';
import { reconcileNoShows } from './reconcile-no-shows.ts';
import type { ReconciledPage, Reconciliation } from './repair-each.ts';
import { restartMissingWorkflows } from './restart-missing-workflows.ts';

/** A page that takes longer waits for a row or a server, and loads neither. */
const LONGEST_REST_MS = 1000;

/**
 * Looks at the next rows of a part, after a position, and puts right what it finds. Each page is followed by a rest as long as it
 * took: clinics book meanwhile. docs/scale.md
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
  await pause(Math.min(performance.now() - begun, LONGEST_REST_MS));
  return page;
}
