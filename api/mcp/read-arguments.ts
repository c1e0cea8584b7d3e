import type { ArgumentSchema, InputSchema } from './argument-schema.ts';

export type Arguments = Readonly<Record<string, unknown>>;

export interface ReadArguments {
  /** The arguments that the tool knows and to which the client has given a value. */
  given: Arguments;
  /** The names of others. */
  ignored: readonly string[];
}

const MAX_IGNORED = 100;
const MAX_NAME = 100;

/**
 * Arguments as clients send them: all of them with null for most, lists and numbers as text, their own ids beside them.
 * What cannot be read stays as it is, and the schema of the operation refuses it.
 */
export function readArguments({ properties }: InputSchema, sent: Arguments): ReadArguments {
  const names = Object.keys(sent);
  const known = names.flatMap((name) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const value = schema && readValue(schema, sent[name]);
    return value === undefined ? [] : [[name, value] as const];
  });
  const unknown = names.filter((name) => !Object.hasOwn(properties, name));
  return { given: Object.fromEntries(known), ignored: unknown.slice(0, MAX_IGNORED).map(shorten) };
}

function shorten(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
}

/** Undefined for a value that says nothing: null, a blank text, a list without items. */
function readValue(schema: Pick<ArgumentSchema, 'type' | 'items'>, value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'string' && value.trim() === '') return undefined;
  if (Array.isArray(value) && value.length === 0) return undefined;
  if (schema.type === 'array') return readList(schema, value);
  if (typeof value === 'string') return readText(schema.type, value);
  return typeof value === 'number' && schema.type === 'string' ? String(value) : value;
}

function readList({ items = { type: 'string' } }: Pick<ArgumentSchema, 'items'>, value: unknown): unknown {
  const list = typeof value === 'string' ? listIn(value) : value;
  if (!Array.isArray(list)) return list;
  const read = list.map((item) => readValue(items, item)).filter((item) => item !== undefined);
  return read.length > 0 ? read : undefined;
}

/** `["mon"]`, `['mon', 'tue']`, `mon, tue` or `mon`: no item of a list contains commas, quotes or brackets. */
function listIn(text: string): string[] {
  const items = text.replaceAll(/["'[\]]/g, '').split(',');
  return items.map((item) => item.trim());
}

function readText(type: ArgumentSchema['type'], text: string): unknown {
  const bare = text.trim();
  if (type === 'integer' && /^[+-]?\d{1,15}(?:\.0+)?$/.test(bare)) return Number(bare);
  if (type === 'boolean' && /^(?:true|false)$/i.test(bare)) return bare.toLowerCase() === 'true';
  return text;
}
