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
  RECONCILE_SUMMARY,
  reconcilePartsAt,
  type RowPosition,
  type ReconcilePart,
} from '../domain/reconcile.ts';
import { BACKGROUND_QUEUE } from '../domain/temporal-names.ts';
import { DATABASE_RETRY } from './database-retry.ts';
import { RECONCILE_GOES_ON_IN_TIME } from './patches.ts';

const OPTIONS: ActivityOptions = {
  taskQueue: BACKGROUND_QUEUE,
  // Many pages, with a heartbeat before each.
  startToCloseTimeout: '15 minutes',
  // One page asks Temporal for at most two hundred workflows.
  heartbeatTimeout: '2 minutes',
  retry: DATABASE_RETRY,
};
const activities = proxyActivities<ReconcileActivities>(OPTIONS);

/** After this time a run continues in a new one. Its two-hour time limit is only for runs that hang. */
const MAX_RUN_MS = 45 * 60_000;

/** Where to start; by default at the beginning. */
export interface ReconcileInput {
  parts?: readonly ReconcilePart[];
  after?: RowPosition | null;
  repaired?: ReconcileResult;
  longestRunMs?: number;
}

/** The number of repairs for each part, and the number of rows that could not be repaired. */
export type ReconcileResult = Partial<Record<ReconcilePart | 'failed', number>>;

/**
 * Repairs the effects of crashes, operators' mistakes and lost outbox rows: marks overdue no-shows, and requests
 * workflows that should be running but are not. The rows in PostgreSQL decide which workflows should run.
 */
export async function reconcile(input: ReconcileInput = {}): Promise<ReconcileResult> {
  const { startTime, runStartTime } = workflowInfo();
  const { parts = reconcilePartsAt(startTime), longestRunMs = MAX_RUN_MS } = input;
  let { after = null, repaired = {} } = input;
  for (const [index, part] of parts.entries()) {
    for (let isFinished = false; !isFinished;) {
      // A run that continues another one has no summary of its own.
      setCurrentDetails(
        `${RECONCILE_SUMMARY}. Looking at ${part}. Put right so far: ${JSON.stringify(repaired)}`,
      );
      const options = { ...OPTIONS, summary: `Compare ${part}` };
      const found = await activities.reconcile.executeWithOptions(options, [{ part, after }]);
      ({ isFinished, after } = found);
      repaired = { ...repaired, [part]: (repaired[part] ?? 0) + found.repaired };
      if (found.failed) repaired = { ...repaired, failed: (repaired.failed ?? 0) + found.failed };
      const rest = { parts: parts.slice(isFinished ? index + 1 : index), after, repaired };
      const isLong = rest.parts.length > 0 && Date.now() - runStartTime.getTime() >= longestRunMs;
      if (isLong && patched(RECONCILE_GOES_ON_IN_TIME))
        await continueAsNew<typeof reconcile>({ ...rest, longestRunMs });
      if (!isFinished && workflowInfo().continueAsNewSuggested) await continueAsNew<typeof reconcile>(rest);
    }
  }
  setCurrentDetails(`${RECONCILE_SUMMARY}. Finished. Put right: ${JSON.stringify(repaired)}`);
  return repaired;
}
