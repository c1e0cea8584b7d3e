import Table from 'cli-table3';
import type { Answer } from './admin-command.ts';

/** Rows without lines between them, as operators know them from `ps`. */
const PLAIN = Object.fromEntries(
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid'
    .split(' ')
    .map((name) => [name, '']),
);

/** A list is a table on a terminal; everything else, and everything in a pipe, is one JSON document. */
export function printOutput({ output, columns }: Pick<Answer, 'output' | 'columns'>, isTerminal: boolean) {
  if (!isTerminal || columns === null || !isList(output))
    return `${unobeyed(JSON.stringify(output, null, 2))}\n`;
  const { items } = output;
  if (items.length === 0) return 'none\n';
  const table = new Table({
    head: columns.map((name) => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter}`).toUpperCase()),
    chars: { ...PLAIN, middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  for (const item of items) table.push(columns.map((name) => cell(item[name])));
  return `${table.toString()}\n`;
}

/** A JSON document in which no text gives orders to a terminal: JSON itself escapes C0 alone, and C1 is obeyed too (ECMA-48). */
export function unobeyed(json: string): string {
  return json.replaceAll(/[\u007f-\u009f]/g, (control) => `\\u00${control.charCodeAt(0).toString(16)}`);
}

function isList(output: unknown): output is { items: Record<string, unknown>[] } {
  return typeof output === 'object' && output !== null && 'items' in output && Array.isArray(output.items);
}

/** Names and addresses are others' words: none of them may move the cursor. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '–';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replaceAll(/\p{Cc}/gu, '?');
}
