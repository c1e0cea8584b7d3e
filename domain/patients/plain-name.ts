/**
 * How names of people are compared. Case, accents, spaces, apostrophes and hyphens are ignored, and letters such as ø
 * are replaced by the nearest plain letters. The database function `plain_words`, for searching clinics by name, has
 * the same rules.
 */

/** Accents, vowel points of Arabic and Hebrew letters, and invisible characters. They do not separate words. */
const IGNORED =
  /(?:[\ufe00-\ufe0f\u00ad\u0640\u200b-\u200f\u2060-\u2064\ufeff]|[\u0300-\u036f\u1ab0-\u1ace\u1dc0-\u1dff\u20d0-\u20f0\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670])+/gu;
/** Spaces, apostrophes, hyphens and other punctuation. */
const BETWEEN_WORDS =
  /[\s!-/:-@[-`{-~\u00a1\u00a7\u00ab\u00b6\u00b7\u00bb\u00bf\u02b9-\u02c1\u02c8\u0559-\u055f\u058a\u05be\u05f3\u05f4\u060c\u061b\u061f\u066a-\u066d\u06d4\u2010-\u2027\u2030-\u205e\u2212\u3001-\u3003\u3008-\u301f\u3030\u30a0\u30fb\ua78b\ua78c]+/u;
const SPACE = /\s+/u;
const CAPITAL = /\p{Uppercase}/gu;

/** Lower-case letters that Unicode does not decompose, and forms of one letter on Arabic and Persian keyboards. */
const NEAREST: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ß: 'ss',
    æ: 'ae',
    œ: 'oe',
    þ: 'th',
    ð: 'd',
    đ: 'd',
    ɖ: 'd',
    ɗ: 'd',
    ø: 'o',
    ł: 'l',
    ħ: 'h',
    ŧ: 't',
    ŋ: 'n',
    ı: 'i',
    ȷ: 'j',
    ĸ: 'k',
    ƙ: 'k',
    ɓ: 'b',
    ƒ: 'f',
    ƴ: 'y',
    ς: 'σ',
    ى: 'ي',
    ی: 'ي',
    ک: 'ك',
  }),
);
const HAS_NEAREST = new RegExp(`[${[...NEAREST.keys()].join('')}]`, 'gu');
const MAX_WORD_LETTERS = 50;

/**
 * A form that is equal for equal names, such as “Maria-João d’Ávila” and “maria joao D'AVILA”. A name without letters
 * is compared as it is.
 */
export function plainName(name: string): string {
  const letters = baseLetters(name);
  return letters.split(BETWEEN_WORDS).join('') || letters.replaceAll(/\s+/gu, '');
}

export function isSameName(one: string, other: string): boolean {
  return plainName(one) === plainName(other);
}

/** The words of a name in the same form, each with at most its first 50 letters. */
export function plainWords(name: string): string[] {
  return wordsIn(baseLetters(name));
}

/**
 * Like `plainWords`, but not split at apostrophes and hyphens: “Maria-João d’Ávila” has the words “mariajoao” and
 * “davila”.
 */
export function unbrokenWords(name: string): string[] {
  const parts = baseLetters(name).split(SPACE);
  return parts.flatMap((part) => wordsIn(part.split(BETWEEN_WORDS).join('')));
}

function wordsIn(letters: string): string[] {
  return letters
    .split(BETWEEN_WORDS)
    .filter((word) => word !== '')
    .map((word) => firstLetters(word, MAX_WORD_LETTERS));
}

function baseLetters(name: string): string {
  return inSmallLetters(name.normalize('NFKD').replaceAll(IGNORED, '')).replaceAll(
    HAS_NEAREST,
    (letter) => NEAREST.get(letter) ?? letter,
  );
}

/** @param count of code points, as PostgreSQL counts letters */
function firstLetters(word: string, count: number): string {
  return word.length <= count ? word : Array.from(word).slice(0, count).join('');
}

/** Converts each character separately to lower case, as PostgreSQL does. */
function inSmallLetters(text: string): string {
  return text.replaceAll(CAPITAL, (letter) => letter.toLowerCase());
}
