/**
 * Unicode’s marks around a text whose direction must not turn what stands beside it: without them “محمد 12” before a date swaps its
 * numbers with the date’s. Pages show them as `<bdi>`. No stored text has them: domain/bounded-text.ts
 */
export const ISOLATE = '\u2068';
export const END_OF_ISOLATE = '\u2069';

/** Letters that are written from right to left: Hebrew, Arabic and their neighbours. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1eeff}]/u;

export function isRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text);
}

/**
 * For a text of people in a sentence. What is written from left to right needs no marks, and programs that do not know them see none.
 * A sentence whose texts are isolated already stays as it is.
 */
export function isolated(text: string): string {
  return isRightToLeft(text) && !text.includes(ISOLATE) ? ISOLATE + text + END_OF_ISOLATE : text;
}
