import { E164 } from '../phone-number.ts';

/** What is stored and shown as the number of a caller who withholds it. */
export const WITHHELD = 'anonymous';

/** What carriers send for it, in any case: words, and what the words read on the keys of a phone. */
const WORDS = [WITHHELD, 'unknown', 'restricted'];
const NUMBERS = ['+266696687', '+7378742833', '+2562533', '+8656696', '+86282452253'];
export const STAND_INS: readonly string[] = [...WORDS, ...NUMBERS];

/** E.164, or one of the words. Without a flag for the case: JSON Schema knows none. */
export const CALLER_NUMBER = new RegExp(`${E164.source}|^(?:${WORDS.map(inAnyCase).join('|')})$`);

export function isStandIn(number: string): boolean {
  return STAND_INS.includes(number.toLowerCase());
}

function inAnyCase(word: string): string {
  return Array.from(word, (letter) => `[${letter.toUpperCase()}${letter}]`).join('');
}
