import { continueAsNew, proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { RetentionActivities } from '../activities/retention.activities.ts';
import {
  RETENTION_CLASSES,
  RETENTION_SUMMARY,
  type RetentionClass,
  type RetentionPosition,
} from '../domain/retention.ts';
import { BACKGROUND_QUEUE } from '../domain/temporal-names.ts';
import { DATABASE_RETRY } from './database-retry.ts';

const { prune } = proxyActivities<RetentionActivities>({
  taskQueue: BACKGROUND_QUEUE,
  // Many short transactions, with a heartbeat before each.
  startToCloseTimeout: '15 minutes',
  heartbeatTimeout: '2 minutes',
  retry: DATABASE_RETRY,
  summary: 'Let go what has been kept long enough',
});

/** What remains to be done; by default everything. */
export interface RetentionInput {
  classes?: readonly RetentionClass[];
  after?: RetentionPosition | null;
  pruned?: RetentionResult;
}

/** How many rows of each class were deleted or emptied. */
export type RetentionResult = Partial<Record<RetentionClass, number>>;

/**
 * Deletes or empties expired rows, class by class. The rows show what is left to do, so an interrupted run loses
 * nothing.
 */
export async function retention(input: RetentionInput = {}): Promise<RetentionResult> {
  const { classes = RETENTION_CLASSES } = input;
  let { after = null, pruned = {} } = input;
  for (const [index, each] of classes.entries()) {
    for (let isFinished = false; !isFinished;) {
      setCurrentDetails(`${RETENTION_SUMMARY}. Looking at ${each}. Gone so far: ${JSON.stringify(pruned)}`);
      const step = await prune({ class: each, after });
      ({ isFinished, after } = step);
      pruned = { ...pruned, [each]: (pruned[each] ?? 0) + step.pruned };
      if (!isFinished && workflowInfo().continueAsNewSuggested) {
        await continueAsNew<typeof retention>({ classes: classes.slice(index), after, pruned });
      }
    }
  }
  setCurrentDetails(`${RETENTION_SUMMARY}. Finished. Gone: ${JSON.stringify(pruned)}`);
  return pruned;
}
