import { html as template, raw } from 'hono/html';
import { END_OF_ISOLATE, ISOLATE, isolated, isRightToLeft } from '../domain/text/isolated-text.ts';

/** Escaped HTML, which may be used in a page as it is. */
export type Html = ReturnType<typeof raw>;

/** Values for a template. Text is escaped; false, null and undefined produce nothing. */
export type Part = Html | string | number | false | null | undefined | readonly Part[];

/**
 * A template that escapes every part except HTML, and isolates right-to-left text from what is beside it. Attributes
 * must always be quoted.
 */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  const shown = parts.some(turnsDirection)
    ? parts.map((part, at) => isolatedPart(part, placesIn(strings)[at] ?? 'text'))
    : parts;
  // The result is a promise only if a part is a promise, and none is.
  return template(withoutIndentation(strings), ...shown) as Html;
}

const COMPACT = new WeakMap<TemplateStringsArray, TemplateStringsArray>();

/** The template as it is sent: a long list would be a third larger with the indentation of the source. */
function withoutIndentation(strings: TemplateStringsArray): TemplateStringsArray {
  const known = COMPACT.get(strings);
  if (known) return known;
  const compact = strings.map((text) => text.replaceAll(/\n\s+/g, '\n'));
  const made = Object.assign(compact, { raw: strings.raw });
  COMPACT.set(strings, made);
  return made;
}

/** Marks text that a library has escaped as HTML. */
export function trusted(text: string): Html {
  return raw(text);
}

function turnsDirection(part: Part): boolean {
  if (typeof part === 'string') return isRightToLeft(part);
  return Array.isArray(part) && part.some(turnsDirection);
}

/**
 * Where in the page a part is: where tags are allowed, where people read text without tags, or where programs read it.
 */
type Place = 'text' | 'bare' | 'value';

const PLACES = new WeakMap<TemplateStringsArray, Place[]>();

function placesIn(strings: TemplateStringsArray): Place[] {
  const known = PLACES.get(strings);
  if (known) return known;
  const places = strings.slice(0, -1).map((_, at) => placeAfter(strings.slice(0, at + 1).join('')));
  PLACES.set(strings, places);
  return places;
}

const IN_ATTRIBUTE = /([\w-]+)="[^"]*$/;
const IN_ELEMENT = /<(title|option|textarea|script|style)\b[^>]*>[^<]*$/;
const READ_BY_PEOPLE = [
  'title',
  'option',
  'alt',
  'placeholder',
  'label',
  'aria-label',
  'aria-description',
  'data-confirm',
];

function placeAfter(written: string): Place {
  const [, name] = IN_ATTRIBUTE.exec(written) ?? IN_ELEMENT.exec(written) ?? [];
  if (name === undefined) return 'text';
  return READ_BY_PEOPLE.includes(name) ? 'bare' : 'value';
}

const MARKS = new RegExp(`[${ISOLATE}${END_OF_ISOLATE}]`, 'gu');

function isolatedPart(part: Part, place: Place): Part {
  if (Array.isArray(part)) return part.map((each: Part) => isolatedPart(each, place));
  if (typeof part !== 'string' || !isRightToLeft(part)) return part;
  if (place === 'value') return part.replaceAll(MARKS, '');
  const marked = isolated(part);
  if (place === 'bare') return marked;
  const escaped: string = template`${marked}` as Html;
  return raw(escaped.replaceAll(ISOLATE, '<bdi>').replaceAll(END_OF_ISOLATE, '</bdi>'));
}
