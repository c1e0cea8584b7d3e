import { codeAfter, rowsUnder, textOf } from './pages.ts';

const PATH = 'docs/webhooks.md';

/** docs/webhooks.md */
export const guide = textOf(PATH);

/** The code under `<!-- snippet: name -->` of the two guides for receivers. */
export function snippet(name: string): string {
  const mark = `<!-- snippet: ${name} -->`;
  return codeAfter(guide.includes(mark) ? PATH : 'docs/webhook-signatures.md', mark);
}

/** The JSON under `<!-- example: type -->`. */
export function exampleOf(type: string): unknown {
  return JSON.parse(codeAfter(PATH, `<!-- example: ${type} -->`));
}

/** The headers of the example request, by name. */
export function exampleHeaders(): Record<string, string> {
  const [, ...lines] = codeAfter(PATH, '## What arrives').trim().split('\n');
  return Object.fromEntries(lines.map((line) => line.split(/: (.*)/).slice(0, 2)));
}

/** What stands in the first column of the table whose head starts with `heading`, without backquotes. */
export function firstColumn(heading: string): string[] {
  return rowsUnder(guide, heading).map(([first = '']) => first.replaceAll('`', ''));
}
