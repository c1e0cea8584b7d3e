import { Worker, type WorkflowBundleOption } from '@temporalio/worker';
import type { RecordedHistory } from './recorded-histories.ts';

/** The names of the histories that this code does not go, and why; with `onlyFirst` no more than one. */
export async function replay(
  workflowBundle: WorkflowBundleOption,
  histories: Iterable<[string, RecordedHistory]>,
  { onlyFirst = false } = {},
): Promise<Map<string, Error>> {
  const named = Array.from(histories, ([workflowId, { events }]) => ({ workflowId, history: { events } }));
  const refused = new Map<string, Error>();
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle }, named)) {
    if (error) refused.set(workflowId, error);
    if (onlyFirst && refused.size > 0) break;
  }
  return refused;
}
