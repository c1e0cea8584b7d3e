import { randomUUID } from 'node:crypto';
import { Client, type WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { WorkflowBundleOption } from '@temporalio/worker';
import {
  BURST_WORKFLOW,
  CLINIC_QUEUE,
  DELIVERY_WORKFLOW,
  WEBHOOK_DELIVERY_QUEUE,
} from '../../../domain/temporal-names.ts';
import { until } from '../../support/until.ts';
import { playActivities } from '../played-activities.ts';
import type { RecordedHistory } from '../recorded-histories.ts';
import { withActivities } from '../workers-with-activities.ts';
import { HOUR_MS, type Branch, type BranchRun } from './branch.ts';

const DELIVERIES = new Set([DELIVERY_WORKFLOW, BURST_WORKFLOW]);

/** Lets a workflow go this way on a server and returns the history of its first run. */
export async function playBranch(
  environment: TestWorkflowEnvironment,
  workflowBundle: WorkflowBundleOption,
  { type, input, answers = {}, signals = [], story }: Branch,
): Promise<RecordedHistory> {
  const { called, end, activities } = playActivities(answers);
  const { connection, namespace = 'default' } = environment;
  const client = new Client({ connection, namespace });
  const workflowId = `${type}:${randomUUID()}`;
  const taskQueue = DELIVERIES.has(type) ? WEBHOOK_DELIVERY_QUEUE : CLINIC_QUEUE;
  const args = [typeof input === 'function' ? input() : input];
  const started = await client.workflow.start(type, { workflowId, taskQueue, args });
  const handle = client.workflow.getHandle(workflowId, started.firstExecutionRunId);
  for (const [name, ...args] of signals) await handle.signal(name, ...args);
  const firstRun = { handle, called, end };
  return withActivities({ environment, workflowBundle, taskQueue, activities }, async () => {
    await story?.({ ...toldTo(firstRun), daysPass: (days) => environment.sleep(days * 24 * HOUR_MS) });
    await until('the end of the run', async () => (await handle.describe()).status.name !== 'RUNNING');
    const { events } = JSON.parse(historyToJSON(await handle.fetchHistory())) as { events: object[] };
    const latest = client.workflow.getHandle(workflowId);
    if ((await latest.describe()).status.name === 'RUNNING') await latest.terminate();
    return { workflowId, events };
  });
}

type FirstRun = Pick<ReturnType<typeof playActivities>, 'called' | 'end'> & {
  handle: Pick<WorkflowHandleWithFirstExecutionRunId, 'signal' | 'cancel' | 'fetchHistory'>;
};

function toldTo({ handle, called, end }: FirstRun): Omit<BranchRun, 'daysPass'> {
  const timers = async () => {
    const { events } = await handle.fetchHistory();
    return events?.filter((event) => event.timerStartedEventAttributes).length ?? 0;
  };
  return {
    asked: async (activity, times = 1) => {
      await until(
        `${times} questions to ${activity}`,
        () => called.filter((each) => each === activity).length >= times,
      );
    },
    waits: async (times = 1) => {
      await until(`${times} timers`, async () => (await timers()) >= times);
    },
    signal: (name, ...args) => handle.signal(name, ...args),
    cancel: async () => void (await handle.cancel()),
    endLongAnswers: end,
  };
}
