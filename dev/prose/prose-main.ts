import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { TextlintKernel } from '@textlint/kernel';
import markdown from '@textlint/textlint-plugin-markdown';
import terminology from 'textlint-rule-terminology';
import { sourcePlugin } from './source-plugin.ts';
import { PAGE_TERMS, TERMS } from './terms.ts';

/** The list of phrases, and its test. */
const EXEMPT = new Set(['dev/prose/terms.ts', 'test/dev/prose.test.ts']);

/** Part of `npm run check`: refuses phrases that we do not write. */
const kernel = new TextlintKernel();
const tracked = execFileSync('git', ['ls-files', '*.md', '*.ts', 'docs/openapi.json'], { encoding: 'utf8' });
const paths = tracked.split('\n').filter((path) => path !== '' && !EXEMPT.has(path));

let found = 0;
for (const path of paths) {
  const text = readFileSync(path, 'utf8');
  const isOfPages = /^dashboard\/.*words[^/]*\.ts$/.test(path);
  const terms = isOfPages ? PAGE_TERMS : TERMS;
  if (!mayHold(terms, text)) continue;
  const { messages } = await kernel.lintText(text, {
    filePath: path,
    ext: extname(path),
    plugins: [
      { pluginId: 'markdown', plugin: markdown.default },
      { pluginId: 'source', plugin: sourcePlugin },
    ],
    rules: [{ ruleId: 'terminology', rule: terminology, options: { defaultTerms: false, terms } }],
  });
  for (const { loc, message } of messages)
    process.stderr.write(`${path}:${loc.start.line}:${loc.start.column} ${message}\n`);
  found += messages.length;
}
process.exitCode = found > 0 ? 1 : 0;

/** Whether a file may contain a phrase; most do not and need not be parsed. */
function mayHold(terms: typeof TERMS, text: string): boolean {
  return new RegExp(terms.map(([phrase]) => phrase).join('|'), 'iu').test(text);
}
