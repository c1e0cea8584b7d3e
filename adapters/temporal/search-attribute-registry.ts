import type { ConnectionLike } from '@temporalio/client';
import { GRPC, grpcCode, isRefused } from './grpc-code.ts';
import { SEARCH_ATTRIBUTES } from '../../domain/temporal-names.ts';

/** `IndexedValueType` of Temporal's protocol, temporal/api/enums/v1/common.proto. */
const INDEXED_TYPES = { KEYWORD: 2, INT: 3, DATETIME: 6 } as const;

/** A value of the type, as a list filter takes it. */
const LITERALS = { KEYWORD: "'none'", INT: '0', DATETIME: "'1970-01-01T00:00:00Z'" } as const;

type Services = Pick<ConnectionLike, 'operatorService' | 'workflowService'>;
type Attribute = [name: string, type: keyof typeof INDEXED_TYPES];

/** The search attributes that the namespace lacks, or has with another type; a workflow that sets one would hang. */
export async function missingSearchAttributes(services: Services, namespace: string): Promise<string[]> {
  const attributes: Attribute[] = Object.entries(SEARCH_ATTRIBUTES);
  const isThere = await findRegistered(services, namespace);
  const missing: string[] = [];
  for (const attribute of attributes) {
    if (!(await isThere(attribute))) missing.push(attribute[0]);
  }
  return missing;
}

/** Registers the ones that are missing. */
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

/** Whoever works in a namespace may list its workflows, even where its search attributes are not told. */
async function canBeAskedFor({ workflowService }: Services, namespace: string, [name, type]: Attribute) {
  try {
    await workflowService.countWorkflowExecutions({ namespace, query: `${name} = ${LITERALS[type]}` });
    return true;
  } catch (error) {
    if (grpcCode(error) === GRPC.invalidArgument) return false;
    throw error;
  }
}
