import { continueAsNew, proxyActivities, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { RecallActivities, RecallProgress } from '../activities/recall.activities.ts';
import { BACKGROUND_QUEUE } from '../domain/temporal-names.ts';
import { DATABASE_RETRY } from './database-retry.ts';

/** Between two batches. Together with the batch size it limits the recalls per second. */
const PAUSE = '5 seconds';

const { scanRecalls } = proxyActivities<RecallActivities>({
  taskQueue: BACKGROUND_QUEUE,
  // Many short transactions, with a heartbeat before each.
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '1 minute',
  retry: DATABASE_RETRY,
  summary: 'Search the next clinics for recalls',
});

type RecallScanResult = Pick<RecallProgress, 'recalls' | 'clinics'>;

/**
 * Searches for recalls in every clinic where it is past 09:00 and today's search is not finished: docs/recall.md
 * @param input the progress of earlier runs of this scan; empty at first
 */
export async function recallScan(input: Partial<RecallProgress> = {}): Promise<RecallScanResult> {
  let { from = null, recalls = 0, clinics = 0 } = input;
  const show = (state: string) => setCurrentDetails(`${state}: ${clinics} clinics, ${recalls} recalls`);
  show('Under way');
  for (;;) {
    const found = await scanRecalls({ from });
    from = found.from;
    recalls += found.recalls;
    clinics += found.clinics;
    show(found.isFinished ? 'Finished' : 'Under way');
    if (found.isFinished) return { recalls, clinics };
    const isLong = workflowInfo().continueAsNewSuggested;
    await sleep(PAUSE, { summary: 'Before the next share of recalls' });
    if (isLong) await continueAsNew<typeof recallScan>({ from, recalls, clinics });
  }
}
