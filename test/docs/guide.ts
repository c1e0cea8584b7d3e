import { rowsUnder, textOf } from './pages.ts';

const FENCED = /^```\w*\n([\s\S]*?)^```$/m;

/** docs/webhooks.md */
export const guide = textOf('docs/webhooks.md');

/** The code under `<!-- snippet: name -->`. */
export function snippet(name: string): string {
  return codeAfter(`<!-- snippet: ${name} -->`);
}

/** The JSON under `<!-- example: type -->`. */
export function exampleOf(type: string): unknown {
  return JSON.parse(codeAfter(`<!-- example: ${type} -->`));
}

/** The headers of the example request, by name. */
export function exampleHeaders(): Record<string, string> {
  const [, ...lines] = codeAfter('## What arrives').trim().split('\n');
  return Object.fromEntries(lines.map((line) => line.split(/: (.*)/).slice(0, 2)));
}

/** What stands in the first column of the table whose head starts with `heading`, without backquotes. */
export function firstColumn(heading: string): string[] {
  return rowsUnder(guide, heading).map(([first = '']) => first.replaceAll('`', ''));
}

function codeAfter(mark: string): string {
  const [, after] = guide.split(`${mark}\n`);
  const code = after && FENCED.exec(after)?.[1];
  if (code === undefined) throw new Error(`docs/webhooks.md has no code after ${mark}`);
  return code;
}
