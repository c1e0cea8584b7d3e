import { WorkflowNotFoundError, type Client } from '@temporalio/client';

export interface RunningWorkflows {
  /** Those of the ids (at most a few hundred) that have no running workflow. */
  missingAmong(workflowIds: readonly string[]): Promise<string[]>;
}

const CALL_LIMIT_MS = 10_000;
/** The number of parallel calls; more would use Temporal's CPU and delay bookings. */
const CALLS_AT_ONCE = 4;

/**
 * Asks Temporal's list first, which handles many ids at once but lags behind. Ids that it lacks are checked one by one,
 * so that a late or empty list does not make running workflows look lost.
 */
export function createRunningWorkflows(client: Client): RunningWorkflows {
  return {
    async missingAmong(workflowIds) {
      if (workflowIds.length === 0) return [];
      const listed = await listRunning(client, workflowIds);
      const unlisted = workflowIds.filter((id) => !listed.has(id));
      const missing: string[] = [];
      const ask = async (): Promise<void> => {
        for (let id = unlisted.pop(); id !== undefined; id = unlisted.pop()) {
          if (!(await isRunning(client, id))) missing.push(id);
        }
      };
      await Promise.all(Array.from({ length: CALLS_AT_ONCE }, ask));
      return missing;
    },
  };
}

function listRunning(client: Client, workflowIds: readonly string[]): Promise<Set<string>> {
  const quoted = workflowIds.map((id) => `'${id.replaceAll("'", "''")}'`);
  const query = `ExecutionStatus = 'Running' AND WorkflowId IN (${quoted.join(', ')})`;
  return client.withDeadline(Date.now() + CALL_LIMIT_MS, async () => {
    const listed = new Set<string>();
    for await (const { workflowId } of client.workflow.list({ query })) listed.add(workflowId);
    return listed;
  });
}

async function isRunning(client: Client, workflowId: string): Promise<boolean> {
  try {
    const description = await client.withDeadline(Date.now() + CALL_LIMIT_MS, () =>
      client.workflow.getHandle(workflowId).describe(),
    );
    return description.status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
