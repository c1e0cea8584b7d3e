import type { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { GRPC, grpcCode, isRefused } from './grpc-code.ts';
import { missingSearchAttributes, registerSearchAttributes } from './search-attribute-registry.ts';
import { WORKFLOW_RETENTION_DAYS } from '../../domain/temporal-names.ts';

/** So long can an operator read what a workflow did. */
const DAY_SECONDS = 86_400;

/** What this account may not do: somebody else is to. */
export type LeftToDo = Awaited<ReturnType<typeof prepareNamespace>>['leftToDo'];

/**
 * Makes a namespace fit for the workflows: it exists, keeps 30 days, knows the search attributes. Safe to repeat. Where
 * the server lets this account change nothing, it only finds out what is left to do.
 */
export async function prepareNamespace(connection: Connection, namespace: string) {
  const { workflowService } = connection;
  const period = msToTs(`${WORKFLOW_RETENTION_DAYS} days`);
  const retentionSeconds = await findRetention(connection, namespace);
  const creation = await changed(retentionSeconds === null, () =>
    workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: period }),
  );
  const isShort = retentionSeconds !== null && retentionSeconds < WORKFLOW_RETENTION_DAYS * DAY_SECONDS;
  const retention = await changed(isShort, () =>
    workflowService.updateNamespace({ namespace, config: { workflowExecutionRetentionTtl: period } }),
  );
  const missing = creation === 'refused' ? [] : await missingSearchAttributes(connection, namespace);
  const attributes = await changed(missing.length > 0, () =>
    registerSearchAttributes(connection, namespace, missing),
  );
  return {
    createdNamespace: creation === 'done',
    raisedRetention: retention === 'done',
    registeredSearchAttributes: attributes === 'done' ? missing : [],
    leftToDo: {
      // There is none, so nothing else could be looked at.
      createNamespace: creation === 'refused',
      raiseRetention: retention === 'refused',
      // Those that are missing, or of another type.
      registerSearchAttributes: attributes === 'refused' ? missing : [],
    },
  };
}

async function changed(isNeeded: boolean, change: () => Promise<unknown>) {
  if (!isNeeded) return 'needless';
  try {
    await change();
    return 'done';
  } catch (error) {
    if (isRefused(error)) return 'refused';
    throw error;
  }
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
