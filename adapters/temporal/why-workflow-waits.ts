import { WorkflowNotFoundError, type Client, type WorkflowExecutionDescription } from '@temporalio/client';

/** In words for operators, why a workflow does not get on with what is overdue. */
export async function whyWorkflowWaits({ workflow }: Client, workflowId: string): Promise<string> {
  try {
    return reasonOf(await workflow.getHandle(workflowId).describe());
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return notRunning(workflowId);
    throw error;
  }
}

function reasonOf({ workflowId, status, raw }: WorkflowExecutionDescription): string {
  if (status.name !== 'RUNNING') return notRunning(workflowId);
  const { pendingWorkflowTask, pendingActivities } = raw;
  const tries = pendingWorkflowTask?.attempt ?? 0;
  if (tries > 1) return `the task of ${workflowId} fails, ${tries} times so far`;
  const activity = pendingActivities?.find(({ lastFailure }) => lastFailure) ?? pendingActivities?.[0];
  if (!activity) return `${workflowId} waits`;
  const name = `activity ${activity.activityType?.name} of ${workflowId}`;
  if (!activity.lastFailure) return `${name} waits for a worker`;
  return `${name} fails, ${activity.attempt} times so far: ${activity.lastFailure.message}`;
}

function notRunning(workflowId: string): string {
  return `${workflowId} does not run; the schedule reconcile starts it again within the hour`;
}
