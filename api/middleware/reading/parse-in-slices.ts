import { inSlices } from '../../../db/connection/work-slices.ts';
import { fieldError } from '../../../domain/service-error.ts';
import { LARGE_INTEGER } from '../../contract/value-limits.ts';

/** The maximum size of one part, equal to the limit of an ordinary body: docs/limits.md#body-sizes */
const MAX_PART = 256 * 1024;
const MAX_ELEMENTS = 10_000;
const BLANK = /^[ \t\r\n]*$/;

interface Element {
  list: number;
  text: string;
}

/**
 * Parses JSON. The elements of lists in the outermost object of a long text are parsed one by one, so that other
 * requests run in between.
 * @param clinic the clinic to which the processing time is counted
 * @throws SyntaxError, or `validation_failed` when a part is too large for short steps
 */
export async function parseInSlices(clinic: string, json: string): Promise<unknown> {
  if (json.length <= MAX_PART) return parse(json);
  const lists: unknown[][] = [];
  const rest: string[] = [];
  await inSlices(clinic, elementsOf(json, rest), ({ list, text }) => {
    const elements = (lists[list] ??= []);
    if (elements.length === MAX_ELEMENTS)
      throw fieldError('body', `must not have a list of more than ${MAX_ELEMENTS} items`);
    elements.push(parse(text));
  });
  return withLists(parse(rest.join('')), lists);
}

function parse(text: string): unknown {
  if (text.length > MAX_PART)
    throw fieldError('body', `must not have more than ${MAX_PART / 1024} KiB in one item`);
  return JSON.parse(markLargeIntegers(text));
}

/**
 * The elements of the lists in the outermost value. If the JSON is invalid, an element or the remaining text is invalid
 * too. @param rest receives the remaining text, in which each list is replaced by a list with its number
 */
function* elementsOf(json: string, rest: string[]): Generator<Element> {
  let lists = 0;
  let depth = 0;
  let isInList = false;
  let isFirst = false;
  let from = 0;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '"') {
      at = endOfText(json, at) - 1;
    } else if (character === '{' || character === '[') {
      depth += 1;
      if (depth !== 2 || character === '{') continue;
      rest.push(json.slice(from, at + 1), String(lists));
      from = at + 1;
      lists += 1;
      isInList = isFirst = true;
    } else if (character === ',' && isInList && depth === 2) {
      yield { list: lists - 1, text: json.slice(from, at) };
      from = at + 1;
      isFirst = false;
    } else if (character === '}' || character === ']') {
      depth -= 1;
      if (!isInList || depth !== 1) continue;
      const text = json.slice(from, at);
      if (!isFirst || !BLANK.test(text)) yield { list: lists - 1, text };
      from = at;
      isInList = false;
    }
  }
  rest.push(json.slice(from));
}

/** Puts the parsed lists back in place of their numbers. */
function withLists(outermost: unknown, lists: readonly unknown[][]): unknown {
  if (typeof outermost !== 'object' || outermost === null) return outermost;
  for (const [name, member] of Object.entries(outermost)) {
    // Assigning to `__proto__` would not set a member.
    if (Array.isArray(member))
      Object.defineProperty(outermost, name, { ...OWN, value: lists[Number(member[0])] ?? [] });
  }
  return outermost;
}

const OWN = { writable: true, enumerable: true, configurable: true };

/** Few bodies contain such a number or similar text, so few are checked in detail. */
const LOOKS_LARGE = /(?:^|[[:,\s])-?\d{16,}\s*(?:[,}\]]|$)/;
const LARGE = /(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;
const MARK = JSON.stringify(LARGE_INTEGER);

/** JSON with `LARGE_INTEGER` for every whole number beyond ±(2^53 − 1), which `JSON.parse` would silently round. */
export function markLargeIntegers(json: string): string {
  if (!LOOKS_LARGE.test(json)) return json;
  const parts: string[] = [];
  let copied = 0;
  for (let from = 0; from < json.length;) {
    const quote = json.indexOf('"', from);
    const until = quote === -1 ? json.length : quote;
    const between = json.slice(from, until);
    const marked = between.replace(LARGE, (digits) => (Number.isSafeInteger(Number(digits)) ? digits : MARK));
    if (marked !== between) {
      parts.push(json.slice(copied, from), marked);
      copied = until;
    }
    from = quote === -1 ? until : endOfText(json, quote);
  }
  return parts.join('') + json.slice(copied);
}

/** The position after the string that starts with the quote at `start`. */
function endOfText(json: string, start: number): number {
  for (let quote = json.indexOf('"', start + 1); quote !== -1; quote = json.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (json[quote - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return json.length;
}
