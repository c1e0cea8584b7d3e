import type { TextlintMessage } from '@textlint/kernel';
import { parseSync } from 'oxc-parser';

interface Range {
  start: number;
  end: number;
}

/** Gives textlint the texts of a file that is not Markdown: comments, strings, and the texts of the API. */
class SourceProcessor {
  static availableExtensions(): string[] {
    return ['.ts', '.json'];
  }

  availableExtensions(): string[] {
    return SourceProcessor.availableExtensions();
  }

  processor(extension: string) {
    return {
      preProcess: (text: string, path = '') => documentOf(text, proseOf(text, extension, path)),
      postProcess: (messages: TextlintMessage[], path = extension) => ({ messages, filePath: path }),
    };
  }
}

export const sourcePlugin = { Processor: SourceProcessor };

function proseOf(text: string, extension: string, path: string): Range[] {
  if (extension === '.json') return descriptionsIn(text);
  const { comments, program } = parseSync(path, text);
  const strings = path.startsWith('db/migrations/') ? [] : stringsIn(program, text);
  return [...comments.map(({ start, end }) => ({ start: start + 2, end })), ...strings];
}

function descriptionsIn(text: string): Range[] {
  return [...text.matchAll(/"(?:description|summary|message)": "((?:[^"\\]|\\.)*)"/g)].map((found) => {
    const end = found.index + found[0].length - 1;
    return { start: end - (found[1] ?? '').length, end };
  });
}

/**
 * The strings with a space: texts of pages, error messages, command-line help, test titles. Strings without a space are
 * names.
 */
function stringsIn(node: unknown, text: string): Range[] {
  if (typeof node !== 'object' || node === null) return [];
  if (Array.isArray(node)) return node.flatMap((each) => stringsIn(each, text));
  if (isString(node)) return text.slice(node.start, node.end).includes(' ') ? [node] : [];
  return Object.values(node).flatMap((each) => stringsIn(each, text));
}

function isString(node: object): node is Range {
  if (!('type' in node)) return false;
  return (
    node.type === 'TemplateElement' ||
    (node.type === 'Literal' && 'value' in node && typeof node.value === 'string')
  );
}

/** A textlint tree with one paragraph for each text. */
function documentOf(text: string, ranges: readonly Range[]) {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const place = (at: number) => {
    const line = starts.findLastIndex((start) => start <= at);
    return { line: line + 1, column: at - (starts[line] ?? 0) };
  };
  const node = ({ start, end }: Range) => ({
    raw: text.slice(start, end),
    range: [start, end] as const,
    loc: { start: place(start), end: place(end) },
  });
  return {
    type: 'Document' as const,
    ...node({ start: 0, end: text.length }),
    children: ranges.map((range) => ({
      type: 'Paragraph' as const,
      ...node(range),
      children: [{ type: 'Str' as const, ...node(range), value: text.slice(range.start, range.end) }],
    })),
  };
}
