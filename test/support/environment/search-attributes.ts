import { SEARCH_ATTRIBUTES } from '../../../domain/temporal-names.ts';

const CLI_TYPE_NAMES = { KEYWORD: 'Keyword', INT: 'Int', DATETIME: 'Datetime' } as const;
/** Temporal's protocol numbers of the same types. */
const PROTOCOL_TYPES = { KEYWORD: 2, INT: 3, DATETIME: 6 } as const;

/** Flags that register them when the server starts. */
export function searchAttributeFlags(): string[] {
  return Object.entries(mapTypes(CLI_TYPE_NAMES)).map(([name, type]) => `--search-attribute=${name}=${type}`);
}

export function temporalProtocolAttributes(): Record<string, number> {
  return mapTypes(PROTOCOL_TYPES);
}

function mapTypes<T>(types: Record<keyof typeof CLI_TYPE_NAMES, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(SEARCH_ATTRIBUTES).map(([name, type]) => [name, types[type]]));
}
