import { expect, test } from '@jest/globals';
import { TextlintKernel } from '@textlint/kernel';
import terminology from 'textlint-rule-terminology';
import { sourcePlugin } from '../../dev/prose/source-plugin.ts';

const terms = [['whoever', 'anyone who']];

async function found(path: string, text: string): Promise<string[]> {
  const { messages } = await new TextlintKernel().lintText(text, {
    filePath: path,
    ext: path.slice(path.lastIndexOf('.')),
    plugins: [{ pluginId: 'source', plugin: sourcePlugin }],
    rules: [{ ruleId: 'terminology', rule: terminology, options: { defaultTerms: false, terms } }],
  });
  return messages.map(({ loc }) => `${loc.start.line}:${loc.start.column}`);
}

test('a phrase is found in a comment, and not in code', async () => {
  expect(await found('a.ts', 'const whoever = 1;\n// Sent to whoever asks.\n')).toEqual(['2:12']);
});

test('a phrase is found in strings with a space, and not in names', async () => {
  const text = "export const A = {\n  whoever: 'for whoever asks',\n  b: 'whoever',\n};\n";
  expect(await found('words.ts', text)).toEqual(['2:17']);
  expect(await found('a.ts', 'throw new Error(`Sent to ${name}, or whoever asks.`);')).toEqual(['1:38']);
  expect(await found('db/migrations/a.ts', text)).toEqual([]);
});

test('a phrase is found in the texts of the API, and not in its examples', async () => {
  const text = '{\n  "description": "For whoever asks.",\n  "example": "whoever asks"\n}\n';
  expect(await found('openapi.json', text)).toEqual(['2:23']);
});
