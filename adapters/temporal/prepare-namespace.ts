import type { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { GRPC, grpcCode } from './grpc-code.ts';
import { registerSearchAttributes } from './search-attribute-registry.ts';
import { WORKFLOW_RETENTION_DAYS } from '../../domain/temporal-names.ts';

/** So long can an operator read what a workflow did. */
const DAY_SECONDS = 86_400;

export interface PreparedNamespace {
  createdNamespace: boolean;
  raisedRetention: boolean;
  registeredSearchAttributes: string[];
}

/** Makes a namespace fit for the workflows: it exists, keeps 30 days, knows the search attributes. Safe to repeat. */
export async function prepareNamespace(
  connection: Connection,
  namespace: string,
): Promise<PreparedNamespace> {
  const retentionSeconds = await findRetention(connection, namespace);
  const workflowExecutionRetentionPeriod = msToTs(`${WORKFLOW_RETENTION_DAYS} days`);
  if (retentionSeconds === null) {
    await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
  }
  const raisedRetention =
    retentionSeconds !== null && retentionSeconds < WORKFLOW_RETENTION_DAYS * DAY_SECONDS;
  if (raisedRetention) {
    await connection.workflowService.updateNamespace({
      namespace,
      config: { workflowExecutionRetentionTtl: workflowExecutionRetentionPeriod },
    });
  }
  return {
    createdNamespace: retentionSeconds === null,
    raisedRetention,
    registeredSearchAttributes: await registerSearchAttributes(connection, namespace),
  };
}

/** Null when there is no such namespace. */
async function findRetention({ workflowService }: Connection, namespace: string): Promise<number | null> {
  try {
    const { config } = await workflowService.describeNamespace({ namespace });
    return Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0);
  } catch (error) {
    if (grpcCode(error) === GRPC.notFound) return null;
    throw error;
  }
}
