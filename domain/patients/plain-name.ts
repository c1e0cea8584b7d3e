const COMBINING = /[\u0300-\u036f]+/gu;
const COMBINING_AND_SPACE = /[\u0300-\u036f\s]+/gu;
/** What parts words: `plain_words` of the database, which clinics’ own names are found by, has the same. */
const BETWEEN_WORDS = /[\s!-/:-@[-`{-~\u2018\u2019]+/u;
const CAPITAL = /\p{Uppercase}/gu;
const LONGEST_WORD = 50;

/** Letters alone, so that “João  Silva” and “joao silva” are one name: docs/recall.md#who-is-one-patient */
export function plainName(name: string): string {
  return inSmallLetters(name.normalize('NFKD').replace(COMBINING_AND_SPACE, ''));
}

/** The words of a name without accents and capitals; of a longer word its first 50 letters. */
export function plainWords(name: string): string[] {
  return inSmallLetters(name.normalize('NFKD').replace(COMBINING, ''))
    .split(BETWEEN_WORDS)
    .filter((word) => word !== '')
    .map((word) => firstLetters(word, LONGEST_WORD));
}

/** @param count of code points, as PostgreSQL counts letters */
function firstLetters(word: string, count: number): string {
  return word.length <= count ? word : Array.from(word).slice(0, count).join('');
}

/** Each by itself, as PostgreSQL does it: a sigma at the end of a word stays the one that stands elsewhere. */
function inSmallLetters(text: string): string {
  return text.replace(CAPITAL, (letter) => letter.toLowerCase());
}
