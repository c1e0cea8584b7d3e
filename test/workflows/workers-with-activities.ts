import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker, type WorkflowBundleOption } from '@temporalio/worker';
import { BACKGROUND_QUEUE, CLINIC_QUEUE } from '../../domain/temporal-names.ts';

export interface WorkersWithActivities {
  environment: TestWorkflowEnvironment;
  workflowBundle: WorkflowBundleOption;
  /** The one of the clinic gets a worker for the background ones too. */
  taskQueue: string;
  activities: object;
}

/** Runs our workflows with these activities while `story` is told. */
export async function withActivities<T>(
  { environment, workflowBundle, taskQueue, activities }: WorkersWithActivities,
  story: () => Promise<T>,
): Promise<T> {
  const { nativeConnection: connection, namespace = 'default' } = environment;
  const common = { connection, namespace, workflowBundle, activities };
  const worker = await Worker.create({ ...common, taskQueue });
  if (taskQueue !== CLINIC_QUEUE) return worker.runUntil(story);
  const background = await Worker.create({ ...common, taskQueue: BACKGROUND_QUEUE });
  return worker.runUntil(() => background.runUntil(story));
}
