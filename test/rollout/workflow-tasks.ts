import { expect } from '@jest/globals';
import { inParallel } from '../../bench/load/pace.ts';
import type { WorkerSurroundings } from '../worker/running-worker.ts';

const READ_AT_ONCE = 10;

interface TasksOfWorkflow {
  /** How many workers have carried it on. */
  workers: number;
  failed: number;
}

export function workflowTasks({ namespace }: WorkerSurroundings): Promise<TasksOfWorkflow[]> {
  return namespace.temporal.ask(async ({ workflow }) => {
    const runs = await Array.fromAsync(workflow.list());
    const tasks: TasksOfWorkflow[] = [];
    await inParallel(READ_AT_ONCE, async () => {
      for (let run = runs.pop(); run; run = runs.pop()) {
        const { events } = await workflow.getHandle(run.workflowId, run.runId).fetchHistory();
        const done = events?.flatMap(
          ({ workflowTaskCompletedEventAttributes: task }) => task?.identity ?? [],
        );
        const failed = events?.filter(({ workflowTaskFailedEventAttributes: task }) => task) ?? [];
        tasks.push({ workers: new Set(done).size, failed: failed.length });
      }
    });
    return tasks;
  });
}

/** Several workers have carried on the same workflows, and no task of any workflow has failed. */
export async function expectSharedWorkflows(surroundings: WorkerSurroundings): Promise<void> {
  const tasks = await workflowTasks(surroundings);
  expect(tasks.filter(({ failed }) => failed > 0)).toEqual([]);
  expect(tasks.filter(({ workers }) => workers > 1).length).toBeGreaterThan(10);
}
