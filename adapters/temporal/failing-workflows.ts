import type { Client } from '@temporalio/client';
import { GRPC, grpcCode } from './grpc-code.ts';
import { CLINIC_QUEUE, WEBHOOK_DELIVERY_QUEUE } from '../../domain/temporal-names.ts';

/**
 * Temporal sets this search attribute while a workflow's tasks keep failing or timing out.
 * https://docs.temporal.io/encyclopedia/detecting-workflow-failures
 */
const QUERY = `
  ExecutionStatus = 'Running'
  AND TaskQueue IN ('${CLINIC_QUEUE}', '${WEBHOOK_DELIVERY_QUEUE}')
  AND TemporalReportedProblems IN ('category=WorkflowTaskFailed', 'category=WorkflowTaskTimedOut')
`;
const NAMED = 3;

/** Our workflows whose code keeps failing, with some ids; null when the server is too old to tell. */
export async function findFailingWorkflows({ workflow }: Client) {
  const count = await countOrNull(() => workflow.count(QUERY));
  if (!count) return count === null ? null : { count, ids: [] };
  const ids: string[] = [];
  for await (const { workflowId } of workflow.list({ query: QUERY, pageSize: NAMED })) {
    if (ids.push(workflowId) === NAMED) break;
  }
  return { count, ids };
}

async function countOrNull(ask: () => Promise<{ count: number }>): Promise<number | null> {
  try {
    return (await ask()).count;
  } catch (error) {
    if (grpcCode(error) === GRPC.invalidArgument) return null;
    throw error;
  }
}
