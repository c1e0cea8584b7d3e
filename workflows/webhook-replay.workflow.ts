import { continueAsNew, proxyActivities, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { ReplayActivities, ReplayInQuestion } from '../activities/replay.activities.ts';
import { DATABASE_RETRY } from './database-retry.ts';

/**
 * The pause between two pages. The next page also waits until most deliveries of the previous page have had their first
 * attempt.
 */
const PAUSE_MS = 1000;

const { replayPage } = proxyActivities<ReplayActivities>({
  // One transaction for one page.
  startToCloseTimeout: '1 minute',
  retry: DATABASE_RETRY,
  summary: 'Make the next page of deliveries',
});

/**
 * Sends an endpoint's events again, page by page in order of creation. The progress is stored in the row. Returns how
 * many deliveries the replay created.
 */
export async function webhookReplay(input: ReplayInQuestion): Promise<{ deliveries: number }> {
  setCurrentDetails('Making deliveries');
  for (;;) {
    const { deliveries, isFinished } = await replayPage(input);
    setCurrentDetails(`${isFinished ? 'Finished' : 'Under way'}: ${deliveries} deliveries made`);
    if (isFinished) return { deliveries };
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof webhookReplay>(input);
    await sleep(PAUSE_MS, { summary: 'Before the next page of deliveries' });
  }
}
