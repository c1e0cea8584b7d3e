import { expect, test } from '@jest/globals';
import type { z } from 'zod';
import { contracts } from '../../api/resources.ts';
import { sampleFile } from '../../docs-site/guides/sample-files.ts';

interface CopiedTool {
  name: string;
  method: string;
  path: string;
  constants?: Record<string, unknown>;
  parameters: { properties: Record<string, Property>; required: string[] };
}

interface Property {
  type: string;
  description: string;
  enum?: string[];
  items?: { enum: string[] };
}

/** docs/voice-agents.md#tools-to-copy */
const tools = JSON.parse(sampleFile('voice-tools.json').text) as CopiedTool[];

function contractOf({ method, path }: CopiedTool) {
  const found = Object.values(contracts).find(
    (contract) => contract.method === method && contract.path === path,
  );
  if (!found) throw new Error(`no operation ${method} ${path}`);
  return found.request;
}

test('the tools to copy are those of a receptionist', () => {
  expect(tools.map(({ name }) => name)).toEqual([
    'briefing',
    'find_times',
    'find_appointments',
    'hold_time',
    'book',
    'move',
    'cancel',
  ]);
});

test.each(tools)('$name asks for fields that its request has', (tool) => {
  const { path, body } = contractOf(tool);
  const fields: Readonly<Record<string, z.ZodType>> = { ...path?.shape, ...body?.schema.shape };
  const { properties, required } = tool.parameters;
  const sent = { ...properties, ...tool.constants };
  expect(Object.keys(sent).filter((name) => !(name in fields))).toEqual([]);
  expect(required.filter((name) => !(name in properties))).toEqual([]);
  const missing = Object.entries(fields).filter(
    ([name, field]) => !(name in sent) && !field.safeParse(undefined).success,
  );
  expect(missing.map(([name]) => name)).toEqual([]);
  for (const [name, value] of Object.entries(tool.constants ?? {}))
    expect([name, fields[name]?.safeParse(value).success]).toEqual([name, true]);
  for (const [name, { enum: values, items, description }] of Object.entries(properties)) {
    expect([name, description]).toEqual([name, expect.stringMatching(/\.$/)]);
    for (const value of [...(values ?? []), ...(items ? [items.enum] : [])])
      expect([name, value, fields[name]?.safeParse(value).success]).toEqual([name, value, true]);
  }
});
