import { expect, test } from '@jest/globals';
import { suiteApi } from '../support/servers/api-server.ts';
import { createAgent, type ListedTool } from './agent.ts';

const api = await suiteApi();
const tools = await createAgent(api.client).tools();

/** What OpenAI, Gemini and the grammars of llama.cpp take, each in its own way. */
const KEYWORDS = [
  'type',
  'properties',
  'required',
  'enum',
  'items',
  'description',
  'minimum',
  'maximum',
  'pattern',
];

type Node = Record<string, unknown>;

/** Every schema within a schema, by its path. */
function within(schema: Node, path: string): [string, Node][] {
  const { properties = {}, items } = schema as { properties?: Record<string, Node>; items?: Node };
  return [
    [path, schema],
    ...Object.entries(properties).flatMap(([name, inner]) => within(inner, `${path}.${name}`)),
    ...(items ? within(items, `${path}[]`) : []),
  ];
}

const schemas = tools.flatMap(({ name, inputSchema }: ListedTool) => within({ ...inputSchema }, name));

test.each(schemas)('%s stands alone', (_path, schema) => {
  expect(Object.keys(schema).filter((word) => !KEYWORDS.includes(word))).toEqual([]);
  expect(['object', 'array', 'string', 'integer', 'boolean']).toContain(schema['type']);
  const { type, properties, items, required = [], enum: values, pattern, minimum, maximum } = schema;
  const names = Object.keys(properties ?? {});
  // Gemini refuses an object without properties, and words that do not belong to the type.
  expect(type === 'object').toBe(names.length > 0);
  expect(type === 'array').toBe(items !== undefined);
  expect(names).toEqual(expect.arrayContaining(required as string[]));
  if (values !== undefined)
    expect([type, (values as unknown[]).every((value) => typeof value === 'string')]).toEqual([
      'string',
      true,
    ]);
  if (minimum !== undefined || maximum !== undefined) expect(type).toBe('integer');
  // llama.cpp turns patterns into grammars, and knows neither classes nor groups with a question mark.
  if (pattern !== undefined)
    expect([type, pattern]).toEqual(['string', expect.stringMatching(/^\^[ -~]*\$$/)]);
  if (pattern !== undefined) expect(pattern).not.toMatch(/\\|\(\?/);
});

test('names and descriptions are ones that every client takes', () => {
  for (const { name, description, inputSchema } of tools) {
    expect(name).toMatch(/^[a-z][a-z_]{0,62}$/);
    expect(description.length).toBeGreaterThan(40);
    // OpenAI takes up to 1,024 characters.
    expect(description.length).toBeLessThanOrEqual(1024);
    for (const [argument, schema] of Object.entries(inputSchema.properties)) {
      expect(argument).toMatch(/^[a-zA-Z]{1,64}$/);
      expect(schema.description).toMatch(/[a-z]{3}/);
      expect(schema.description).not.toMatch(/[Nn]ull/);
    }
  }
});

test('what the service accepts as a pattern is accepted as the tool describes it', () => {
  const patterns = schemas.flatMap(([path, { pattern }]) =>
    typeof pattern === 'string' ? [[path, pattern]] : [],
  );
  const examples = ['01a21d94-5370-7736-b488-821532a205c4', '09:30', 'eyJsaXN0Ijoi'];
  expect(patterns.length).toBeGreaterThan(10);
  for (const [path, pattern = ''] of patterns)
    expect([path, examples.some((example) => new RegExp(pattern).test(example))]).toEqual([path, true]);
});
