/** What text from people or other systems may contain: docs/limits.md#texts */
export interface TextRule {
  /** In characters, as JSON Schema counts them. */
  min: number;
  max: number;
  isOneLine: boolean;
}

const MAX_MARKS = 10;
const MAX_UTF16 = 2;

/** Matches one line that needs no normalisation, as nearly every European name. */
const PLAIN = /^[ -~\u00a1-\u00ac\u00ae-\u02ff]*$/;
/** Matches overrides and isolates, which reverse the following text, and tags, which are invisible letters. */
const TURNS_OR_HIDES = /[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;
const CONTROL = /[\p{Cc}\u2028\u2029]/u;
const NOT_IN_A_LINE = new RegExp(`(?:${CONTROL.source}|${TURNS_OR_HIDES.source})+`, 'gu');
const CONTROL_BUT_LAYOUT = /(?![\t\n\r])\p{Cc}/u;
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;
const TOO_MANY_MARKS = new RegExp(`\\p{M}{${MAX_MARKS + 1}}`, 'u');

/**
 * A one-line text as it is stored and compared: in NFC. Not applied to text with too many combining marks in a row,
 * because that could take long.
 */
export function composed(text: string): string {
  return PLAIN.test(text) || TOO_MANY_MARKS.test(text) ? text : text.normalize('NFC');
}

/** What is wrong with a text, worded to follow the field's name; null if nothing is. */
export function problemOfText(text: string, { min, max, isOneLine }: TextRule): string | null {
  if (!hasLength(text, min, max)) return `must have ${min} to ${max} characters`;
  if (isOneLine && text !== '' && !VISIBLE.test(text)) return 'must not be blank';
  if (PLAIN.test(text)) return null;
  if (TURNS_OR_HIDES.test(text)) return 'must not have invisible or direction-changing characters';
  if (!isOneLine) return CONTROL_BUT_LAYOUT.test(text) ? 'must not have control characters' : null;
  if (CONTROL.test(text)) return 'must be one line without control characters';
  return TOO_MANY_MARKS.test(text) ? `must have at most ${MAX_MARKS} combining marks in a row` : null;
}

/** Turns text from another system into one valid line. */
export function asLine(text: string): string {
  return text.replaceAll(NOT_IN_A_LINE, ' ').normalize('NFC').trim();
}

function hasLength(text: string, min: number, max: number): boolean {
  if (text.length > MAX_UTF16 * max) return false;
  if (text.length <= max && text.length >= MAX_UTF16 * min) return true;
  const length = Array.from(text).length;
  return length >= min && length <= max;
}
