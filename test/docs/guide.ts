import { sampleFile } from '../../docs-site/guides/sample-files.ts';
import { codeAfter, rowsUnder, textOf } from './pages.ts';

const PATH = 'docs/webhooks.md';

/** docs/webhooks.md */
export const guide = textOf(PATH);

/** A file with code that the guides show. */
export function snippet(name: string): string {
  return sampleFile(name).text;
}

/** The event that the guide shows. */
export function exampleEvent(): unknown {
  return JSON.parse(sampleFile('appointment.created.json').text);
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
