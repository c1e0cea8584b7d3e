import { z } from 'zod';

/** One argument of a tool, as clients of every model accept it: docs/mcp.md#schemas */
export type ArgumentSchema = {
  type: 'string' | 'integer' | 'boolean' | 'array';
  description: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  pattern?: string;
  items?: Omit<ArgumentSchema, 'description'>;
};

export type InputSchema = {
  type: 'object';
  properties: Record<string, ArgumentSchema>;
  required?: string[];
};

type Node = Readonly<Record<string, unknown>>;

const TYPES = ['string', 'integer', 'boolean', 'array'];
const COPIED = ['enum', 'minimum', 'maximum'] as const;

/**
 * The arguments as a JSON Schema without references, alternatives and formats: several models and grammars refuse
 * those. The service checks the rest and says what is wrong.
 */
export function inputSchemaOf(fields: Readonly<Record<string, z.ZodType>>): InputSchema {
  const { properties, required, $defs } = z.toJSONSchema(z.object(fields), { io: 'input' });
  const defs = ($defs ?? {}) as Record<string, Node>;
  const entries = Object.entries(properties ?? {}).map(([name, node]) => [
    name,
    argumentOf(name, node as Node, defs),
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(entries) as InputSchema['properties'],
    ...(required && required.length > 0 && { required }),
  };
}

function argumentOf(name: string, node: Node, defs: Record<string, Node>): ArgumentSchema {
  const argument = plain(name, node, defs);
  if (typeof argument.description !== 'string') throw new Error(`the argument ${name} has no description`);
  return argument as ArgumentSchema;
}

function plain(name: string, node: Node, defs: Record<string, Node>): Partial<ArgumentSchema> {
  const { type, description, items, pattern, ...rest } = flat(node, defs);
  if (!TYPES.includes(String(type))) throw new Error(`a tool cannot take the argument ${name}`);
  const text = type === 'string' && typeof pattern === 'string' ? plainPattern(pattern) : null;
  return {
    type: type as ArgumentSchema['type'],
    ...(typeof description === 'string' && { description: withoutNull(description) }),
    ...Object.fromEntries(COPIED.flatMap((word) => (word in rest ? [[word, rest[word]]] : []))),
    ...(text !== null && { pattern: text }),
    ...(type === 'array' && { items: plain(name, items as Node, defs) as ArgumentSchema }),
  };
}

/** Agents leave an argument out. */
function withoutNull(description: string): string {
  return description.replace(/ Null for none\.$/, '');
}

/** A reference resolved, and of "something or null" the something: null means absent here. */
function flat({ $ref, anyOf, ...node }: Node, defs: Record<string, Node>): Node {
  if (typeof $ref === 'string') return { ...flat(defs[$ref.replace('#/$defs/', '')] ?? {}, defs), ...node };
  if (!Array.isArray(anyOf)) return node;
  const [only, ...others] = (anyOf as Node[]).filter(({ type }) => type !== 'null');
  return only && others.length === 0 ? { ...flat(only, defs), ...node } : node;
}

/** Grammars know neither classes such as `\d` nor groups with a question mark. Null: it cannot be said without them. */
function plainPattern(pattern: string): string | null {
  const written = pattern.replaceAll(String.raw`\d`, '[0-9]').replaceAll('(?:', '(');
  return /^\^[ -~]*\$$/.test(written) && !/\\|\(\?/.test(written) ? written : null;
}
