import { Context } from '@temporalio/activity';
import { pause } from '../adapters/timing/pause.ts';
import { pruneStep, type PruneStep } from '../commands/retention/prune-step.ts';
import type { RetentionClass, RetentionPosition } from '../domain/retention.ts';
import { RETENTION_SCHEDULE } from '../domain/temporal-names.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';

/** One transaction of about ten milliseconds. */
const ROWS_A_STEP = 150;
const STEPS_AT_ONCE = 50;
/**
 * The pause after a step as a share of the time it took. Clinics can book during the pause, and a month's backlog is
 * still deleted within a minute.
 */
const REST_FOR_WORK = 0.25;

export type RetentionActivities = ReturnType<typeof createRetentionActivities>;

export function createRetentionActivities(
  dependencies: Pick<ActivityDependencies, 'database' | 'retention' | 'onPruned'> & { rowsAStep?: number },
) {
  const { database, retention: days, onPruned, rowsAStep: limit = ROWS_A_STEP } = dependencies;
  const actor = `workflow:${RETENTION_SCHEDULE}`;
  return {
    /** Deletes or empties expired rows of one class, step by step. */
    async prune(input: { class: RetentionClass; after: RetentionPosition | null }): Promise<PruneStep> {
      const { class: of, after } = input;
      const activity = Context.current();
      const progress: PruneStep = { isFinished: false, after, pruned: 0 };
      for (let steps = 0; steps < STEPS_AT_ONCE && !progress.isFinished; steps += 1) {
        // When this worker stops, another worker continues.
        if (activity.cancellationSignal.aborted) break;
        activity.heartbeat();
        const begun = performance.now();
        const step = await pruneStep(database, { class: of, after: progress.after, days, limit, actor });
        progress.after = step.after;
        progress.isFinished = step.isFinished;
        progress.pruned += step.pruned;
        onPruned({ class: of, pruned: step.pruned });
        await pause(REST_FOR_WORK * (performance.now() - begun), activity.cancellationSignal);
      }
      return progress;
    },
  };
}
