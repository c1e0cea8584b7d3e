import {
  continueAsNew,
  patched,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
  type ActivityOptions,
} from '@temporalio/workflow';
import type { ReconcileActivities } from '../activities/reconcile.activities.ts';
import {
  firstPosition,
  planReconciliation,
  RECONCILE_SUMMARY,
  type LeftToReconcile,
  type RowPosition,
  type ReconcilePart,
} from '../domain/reconcile.ts';
import { BACKGROUND_QUEUE } from '../domain/temporal-names.ts';
import { DATABASE_RETRY } from './database-retry.ts';
import { RECONCILE_LEAVES_THE_REST } from './patches.ts';

const OPTIONS: ActivityOptions = {
  taskQueue: BACKGROUND_QUEUE,
  // Many pages, with a heartbeat before each.
  startToCloseTimeout: '15 minutes',
  // One page asks Temporal for two hundred workflows at worst.
  heartbeatTimeout: '2 minutes',
  retry: DATABASE_RETRY,
};
const activities = proxyActivities<ReconcileActivities>(OPTIONS);

/** A run that took this long leaves the rest to the next one, which the schedule starts an hour after it. */
const LOOKS_FOR_MS = 45 * 60_000;

export interface ReconcileInput {
  /** By default what a run at this hour looks after, and what the one before has left. */
  parts?: readonly ReconcilePart[];
  /** The position in the first of `parts` after which to begin. */
  after?: RowPosition | null;
  /** What earlier runs of the same chain have put right. */
  repaired?: Repaired;
  looksForMs?: number;
}

/** How much was put right in each part, and how many rows could not be put right, if any. */
type Repaired = Partial<Record<ReconcilePart | 'failed', number>>;

/** `left`: what there was no time for. The schedule hands the result to the next run. */
export type ReconcileResult = Repaired & { left?: LeftToReconcile };

/**
 * Puts right what a crash, an operator or a lost outbox row has left: marks no-shows that are overdue and asks for
 * workflows that should run and do not. The rows decide what should run.
 */
export async function reconcile(input: ReconcileInput = {}): Promise<ReconcileResult> {
  const { startTime, lastResult } = workflowInfo();
  const plan = planReconciliation(input, startTime, lastResult as ReconcileResult | undefined);
  const { parts } = plan;
  const { looksForMs = LOOKS_FOR_MS } = input;
  let { repaired = {} } = input;
  for (const [index, part] of parts.entries()) {
    let after = firstPosition(plan, part);
    for (let isFinished = false; !isFinished;) {
      // A run that goes on from another one has no summary of its own.
      setCurrentDetails(
        `${RECONCILE_SUMMARY}. Looking at ${part}. Put right so far: ${JSON.stringify(repaired)}`,
      );
      const options = { ...OPTIONS, summary: `Compare ${part}` };
      const found = await activities.reconcile.executeWithOptions(options, [{ part, after }]);
      ({ isFinished, after } = found);
      repaired = { ...repaired, [part]: (repaired[part] ?? 0) + found.repaired };
      if (found.failed) repaired = { ...repaired, failed: (repaired.failed ?? 0) + found.failed };
      const rest = { parts: parts.slice(isFinished ? index + 1 : index), after };
      if (
        rest.parts.length > 0 &&
        Date.now() - startTime.getTime() >= looksForMs &&
        patched(RECONCILE_LEAVES_THE_REST)
      )
        return ended({ ...repaired, left: rest });
      if (!isFinished && workflowInfo().continueAsNewSuggested)
        await continueAsNew<typeof reconcile>({ ...rest, repaired, looksForMs });
    }
  }
  return ended(repaired);
}

function ended(result: ReconcileResult): ReconcileResult {
  const { left, ...repaired } = result;
  const rest = left ? ` The next run goes on with ${left.parts.join(', ')}.` : '';
  setCurrentDetails(`${RECONCILE_SUMMARY}. Finished. Put right: ${JSON.stringify(repaired)}.${rest}`);
  return result;
}
