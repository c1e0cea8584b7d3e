/**
 * Unicode’s isolation marks around a text keep its direction from affecting the neighbouring text: without them, “محمد
 * 12” before a date would swap its numbers with those of the date. Pages use `<bdi>` instead. Stored texts never
 * contain these marks: domain/text/bounded-text.ts
 */
export const ISOLATE = '\u2068';
export const END_OF_ISOLATE = '\u2069';

/** Letters of scripts that are written from right to left, such as Hebrew and Arabic. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1eeff}]/u;

export function isRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text);
}

/**
 * Isolates a person's text within a sentence. Text that is written from left to right needs no marks. A sentence with
 * isolated texts is not changed.
 */
export function isolated(text: string): string {
  return isRightToLeft(text) && !text.includes(ISOLATE) ? ISOLATE + text + END_OF_ISOLATE : text;
}
