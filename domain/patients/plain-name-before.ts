/**
 * How names were compared by the previous rule, needed until all stored hashes are recomputed:
 * db/patients/name-hashes.ts
 */

const COMBINING = /[\u0300-\u036f]+/gu;
const BETWEEN_WORDS = /[\s!-/:-@[-`{-~\u2018\u2019]+/u;
const CAPITAL = /\p{Uppercase}/gu;
const MAX_WORD_LETTERS = 50;

export function plainNameBefore(name: string): string {
  return lettersBefore(name).replaceAll(/\s+/gu, '');
}

export function plainWordsBefore(name: string): string[] {
  const words = lettersBefore(name).split(BETWEEN_WORDS);
  return words
    .filter((word) => word !== '')
    .map((word) => Array.from(word).slice(0, MAX_WORD_LETTERS).join(''));
}

function lettersBefore(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(COMBINING, '')
    .replaceAll(CAPITAL, (letter) => letter.toLowerCase());
}
