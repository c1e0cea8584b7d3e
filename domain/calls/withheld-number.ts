import { E164 } from '../phone-number.ts';

/** The value that is stored and shown for a withheld number. */
export const WITHHELD = 'anonymous';

/**
 * What carriers send for a withheld number, in upper or lower case: words, and the digits that spell these words on a
 * phone's keys.
 */
const WORDS = [WITHHELD, 'unknown', 'restricted'];
const NUMBERS = ['+266696687', '+7378742833', '+2562533', '+8656696', '+86282452253'];
export const STAND_INS: readonly string[] = [...WORDS, ...NUMBERS];

/** Matches E.164 numbers and these words. Upper and lower case are listed, because JSON Schema has no flag for this. */
export const CALLER_NUMBER = new RegExp(`${E164.source}|^(?:${WORDS.map(inAnyCase).join('|')})$`);

export function isStandIn(number: string): boolean {
  return STAND_INS.includes(number.toLowerCase());
}

function inAnyCase(word: string): string {
  return Array.from(word, (letter) => `[${letter.toUpperCase()}${letter}]`).join('');
}
