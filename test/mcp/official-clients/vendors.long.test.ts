import { expect, test } from '@jest/globals';
import { inDirectory, run } from '../../docs/languages.ts';
import { pythonPackages } from '../../../dev/release/python-packages.ts';
import { suiteApi } from '../../support/servers/api-server.ts';
import { createAgent, type ListedTool } from '../agent.ts';
import { VENDORS } from './vendors-program.ts';

const TIMEOUT_MS = 60_000;

const api = await suiteApi();
const tools = await createAgent(api.client).tools();
const converted = await convertedByVendors(tools);

interface Converted {
  name: string;
  /** As `parameters` of a function declaration. */
  gemini: Schema;
  /** As the library's helper for MCP does. */
  geminiOverMcp: Schema;
  strict: Schema;
}

interface Schema {
  type: string;
  description?: string;
  enum?: string[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean;
}

async function convertedByVendors(listed: readonly ListedTool[]): Promise<Converted[]> {
  const PYTHONPATH = await pythonPackages('test/mcp/official-clients/vendors-requirements.txt');
  const output = await inDirectory({ 'vendors.py': VENDORS }, (directory) =>
    run(['python3', 'vendors.py'], {
      directory,
      env: { PYTHONPATH },
      timeoutMs: TIMEOUT_MS,
      input: JSON.stringify(listed),
    }),
  );
  return JSON.parse(output) as Converted[];
}

/** What Gemini writes differently, and what it never keeps. */
function plain({ type, properties, items, ...rest }: Schema): Schema {
  return {
    ...rest,
    type: type.toLowerCase(),
    ...(items && { items: plain(items) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, plain(each)])),
    }),
  };
}

test.each(tools)('Gemini keeps the whole schema of $name', ({ name, inputSchema }) => {
  const { gemini, geminiOverMcp } = converted.find((each) => each.name === name) ?? {};
  expect(gemini && plain(gemini)).toEqual(inputSchema);
  expect(geminiOverMcp).toEqual(gemini);
});

test.each(tools)('OpenAI’s strict form of $name asks for every argument and keeps the rest', (tool) => {
  const { strict } = converted.find(({ name }) => name === tool.name) ?? {};
  const names = Object.keys(tool.inputSchema.properties);
  expect(strict).toEqual({ ...tool.inputSchema, required: names, additionalProperties: false });
});
