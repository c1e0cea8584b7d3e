import { WorkflowNotFoundError, type Client, type WorkflowExecutionDescription } from '@temporalio/client';

/** `PENDING_ACTIVITY_STATE_STARTED` of Temporal's API. */
const STARTED = 2;

/** Describes for operators why a workflow makes no progress; null when it only waits for a time or signal. */
export async function whyWorkflowWaits({ workflow }: Client, workflowId: string): Promise<string | null> {
  try {
    return reasonOf(await workflow.getHandle(workflowId).describe());
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return notRunning(workflowId);
    throw error;
  }
}

function reasonOf({ workflowId, status, raw }: WorkflowExecutionDescription): string | null {
  if (status.name !== 'RUNNING') return notRunning(workflowId);
  const { pendingWorkflowTask, pendingActivities } = raw;
  const tries = pendingWorkflowTask?.attempt ?? 0;
  if (tries > 1) return `the workflow task of ${workflowId} has failed ${tries} times`;
  const activity = pendingActivities?.find(({ lastFailure }) => lastFailure) ?? pendingActivities?.[0];
  if (!activity) return pendingWorkflowTask ? `the workflow task of ${workflowId} waits for a worker` : null;
  const name = `activity ${activity.activityType?.name} of ${workflowId}`;
  if (!activity.lastFailure)
    return `${name} ${Number(activity.state) === STARTED ? 'is running' : 'waits for a worker'}`;
  return `${name} has failed ${activity.attempt} times: ${activity.lastFailure.message}`;
}

function notRunning(workflowId: string): string {
  return `${workflowId} is not running; the schedule reconcile starts it within the hour`;
}
