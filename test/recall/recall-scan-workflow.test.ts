import { expect, test } from '@jest/globals';
import { Context } from '@temporalio/activity';
import type { RecallActivities, RecallProgress } from '../../activities/recall.activities.ts';
import { CLINIC_QUEUE, RECALL_SCAN_WORKFLOW } from '../../domain/temporal-names.ts';
import { startTimeSkipping } from '../workflows/time-skipping.ts';
import { forSuite } from '../support/for-suite.ts';

const time = await forSuite(startTimeSkipping());

/** Stands in for the rows: `shares` shares of 500 recalls, the last of which ends the scan. */
function aClinicWithShares(shares: number) {
  const asked: { from: string | null; at: number; run: string }[] = [];
  const activities: RecallActivities = {
    async scanRecalls({ from }): Promise<RecallProgress> {
      const { workflowExecution, scheduledTimestampMs } = Context.current().info;
      asked.push({ from, at: scheduledTimestampMs, run: workflowExecution?.runId ?? '' });
      const isFinished = asked.length >= shares;
      return { isFinished, from: 'clinic', recalls: 500, clinics: isFinished ? 1 : 0 };
    },
  };
  return { asked, activities };
}

let runs = 0;
function scan(): Promise<unknown> {
  runs += 1;
  const options = { taskQueue: CLINIC_QUEUE, workflowId: `recall-scan-${runs}`, args: [] };
  return time.environment.client.workflow.execute(RECALL_SCAN_WORKFLOW, options);
}

test('a scan that finds little ends at once', async () => {
  const { activities, asked } = aClinicWithShares(1);
  await time.withActivities(CLINIC_QUEUE, activities, async () => {
    expect(await scan()).toEqual({ recalls: 500, clinics: 1 });
    expect(asked.map(({ from }) => from)).toEqual([null]);
  });
});

test('200,000 recalls go out at no more than a hundred a second, over several runs, none twice', async () => {
  const { activities, asked } = aClinicWithShares(400);
  await time.withActivities(CLINIC_QUEUE, activities, async () => {
    expect(await scan()).toEqual({ recalls: 200_000, clinics: 1 });
    expect(asked).toHaveLength(400);
    expect(asked.slice(1).every(({ from }) => from === 'clinic')).toBe(true);
    const gaps = asked.slice(1).map(({ at }, before) => at - (asked[before]?.at ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(5000);
    expect(new Set(asked.map(({ run }) => run)).size).toBeGreaterThan(1);
  });
});

test('a database that is away for hours does not end the scan', async () => {
  let failures = 100;
  const activities: RecallActivities = {
    async scanRecalls({ from }) {
      if (failures-- > 0) throw new Error('the database is away');
      return { isFinished: true, from, recalls: 1, clinics: 1 };
    },
  };
  await time.withActivities(CLINIC_QUEUE, activities, async () => {
    expect(await scan()).toEqual({ recalls: 1, clinics: 1 });
  });
});
