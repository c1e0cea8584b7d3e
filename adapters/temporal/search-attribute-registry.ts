import type { ConnectionLike } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../domain/temporal-names.ts';

/** `IndexedValueType` of Temporal's protocol, temporal/api/enums/v1/common.proto. */
const INDEXED_TYPES = { KEYWORD: 2, INT: 3, DATETIME: 6 } as const;

type Operator = Pick<ConnectionLike, 'operatorService'>;

/** The search attributes that the namespace lacks, or has with another type; a workflow that sets one would hang. */
export async function missingSearchAttributes(
  { operatorService }: Operator,
  namespace: string,
): Promise<string[]> {
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  const isThere = ([name, type]: [string, keyof typeof INDEXED_TYPES]) =>
    Number(customAttributes[name]) === INDEXED_TYPES[type];
  return Object.entries(SEARCH_ATTRIBUTES)
    .filter((attribute) => !isThere(attribute))
    .map(([name]) => name);
}

/** Registers what is missing and returns the names. Repeating it changes nothing. */
export async function registerSearchAttributes(connection: Operator, namespace: string): Promise<string[]> {
  const missing = await missingSearchAttributes(connection, namespace);
  if (missing.length === 0) return [];
  const types = Object.entries(SEARCH_ATTRIBUTES).filter(([name]) => missing.includes(name));
  await connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(types.map(([name, type]) => [name, INDEXED_TYPES[type]])),
  });
  return missing;
}
