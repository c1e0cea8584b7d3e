import type { Connection, ConnectionLike } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { WORKFLOW_RETENTION_DAYS, SEARCH_ATTRIBUTES } from '../../domain/temporal-names.ts';
import { GRPC, grpcCode, isRefused } from './grpc-code.ts';

/** The seconds in a day; the retention of histories is set in days. */
const DAY_SECONDS = 86_400;

/** The steps that this account may not do, so that an administrator must do them. */
export type LeftToDo = Awaited<ReturnType<typeof prepareNamespace>>['leftToDo'];

/**
 * Prepares a namespace for the workflows: it exists, keeps histories for 30 days and has the search attributes. Safe to
 * repeat. Without the rights to change something, it only reports what is missing.
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
      // Without a namespace nothing else can be checked.
      createNamespace: creation === 'refused',
      raiseRetention: retention === 'refused',
      // Search attributes that are missing or have another type.
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

/** `IndexedValueType` of Temporal's protocol, temporal/api/enums/v1/common.proto. */
const INDEXED_TYPES = { KEYWORD: 2, INT: 3, DATETIME: 6 } as const;

/** A literal of each type, for list filters. */
const LITERALS = { KEYWORD: "'none'", INT: '0', DATETIME: "'1970-01-01T00:00:00Z'" } as const;

type Services = Pick<ConnectionLike, 'operatorService' | 'workflowService'>;
type Attribute = [name: string, type: keyof typeof INDEXED_TYPES];

/** The search attributes that are missing or have another type; a workflow that sets one would hang. */
export async function missingSearchAttributes(services: Services, namespace: string): Promise<string[]> {
  const attributes: Attribute[] = Object.entries(SEARCH_ATTRIBUTES);
  const isThere = await findRegistered(services, namespace);
  const missing: string[] = [];
  for (const attribute of attributes) {
    if (!(await isThere(attribute))) missing.push(attribute[0]);
  }
  return missing;
}

/** Registers the missing search attributes. */
export async function registerSearchAttributes(
  { operatorService }: Services,
  namespace: string,
  missing: readonly string[],
): Promise<void> {
  const types = Object.entries(SEARCH_ATTRIBUTES).filter(([name]) => missing.includes(name));
  await operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(types.map(([name, type]) => [name, INDEXED_TYPES[type]])),
  });
}

async function findRegistered(
  services: Services,
  namespace: string,
): Promise<(attribute: Attribute) => boolean | Promise<boolean>> {
  try {
    const { customAttributes } = await services.operatorService.listSearchAttributes({ namespace });
    return ([name, type]) => Number(customAttributes[name]) === INDEXED_TYPES[type];
  } catch (error) {
    if (!isRefused(error)) throw error;
    return (attribute) => canBeAskedFor(services, namespace, attribute);
  }
}

/**
 * Whether workflows can be listed by a search attribute. Everyone with access to a namespace may list its workflows,
 * even if the search attributes are not readable.
 */
async function canBeAskedFor({ workflowService }: Services, namespace: string, [name, type]: Attribute) {
  try {
    await workflowService.countWorkflowExecutions({ namespace, query: `${name} = ${LITERALS[type]}` });
    return true;
  } catch (error) {
    if (grpcCode(error) === GRPC.invalidArgument) return false;
    throw error;
  }
}
