import type { ClinicCipher } from '../encryption/clinic-ciphers.ts';

type Hashing = Pick<ClinicCipher, 'hash'>;

/** What a sealed name is found by: docs/decisions/0025-sealed-at-rest.md */
export interface NameHashes {
  /** Of the whole name, case, accents and spaces aside: 32 hex digits. Null where a patient was erased. */
  nameHash: string | null;
  /** Of what each of its words may begin with, as PostgreSQL writes an array of them. */
  nameTokens: string | null;
}

/** Beginnings of so many letters have a token. Names that share a longer one are opened and looked at; few begin alike so long and go on otherwise. */
const BEGINNINGS = [1, 2, 3, 4, 5, 6, 8, 10, 12];
const HASH_BYTES = 16;

/** @param name null: the patient was erased, and is found by nothing */
export function hashesOfName(cipher: Hashing, name: string | null): NameHashes {
  if (name === null) return { nameHash: null, nameTokens: null };
  return { nameHash: hashOfName(cipher, name), nameTokens: asArray(tokensOfName(cipher, name)) };
}

export function hashOfName(cipher: Hashing, name: string): string {
  return cipher.hash('patient-name', plainName(name)).subarray(0, HASH_BYTES).toString('hex');
}

export interface NameQuestion {
  /** All of them are among a name's. None: no one is found by them. */
  tokens: string;
  hasWords: boolean;
  /** Null: anyone who has the tokens fits. */
  mustAlsoFit: ((name: string) => boolean) | null;
}

/** @param question words in any order, each of which begins one of a name's */
export function askForName(cipher: Hashing, question: string): NameQuestion {
  const words = plainWords(question);
  const beginnings = words.map((word) => beginningsOf(word).at(-1) ?? '');
  return {
    tokens: asArray(tokensOf(cipher, beginnings)),
    hasWords: words.length > 0,
    mustAlsoFit: beginnings.some((beginning, at) => beginning !== words[at])
      ? (name) => isBegunByEach(plainWords(name), words)
      : null,
  };
}

function isBegunByEach(named: readonly string[], asked: readonly string[]): boolean {
  return asked.every((beginning) => named.some((word) => word.startsWith(beginning)));
}

function tokensOfName(cipher: Hashing, name: string): bigint[] {
  return tokensOf(cipher, plainWords(name).flatMap(beginningsOf));
}

function beginningsOf(word: string): string[] {
  const letters = Array.from(word);
  return BEGINNINGS.filter((count) => count <= letters.length).map((count) =>
    letters.slice(0, count).join(''),
  );
}

function tokensOf(cipher: Hashing, beginnings: readonly string[]): bigint[] {
  return [...new Set(beginnings)].map((each) => cipher.hash('name-beginning', each).readBigInt64BE(0));
}

function asArray(tokens: readonly bigint[]): string {
  return `{${tokens.join()}}`;
}

const COMBINING = /[\u0300-\u036f]+/gu;
const COMBINING_AND_SPACE = /[\u0300-\u036f\s]+/gu;
/** What parts words: `plain_words` of the database, which clinics’ own names are found by, has the same. */
const BETWEEN_WORDS = /[\s!-/:-@[-`{-~\u2018\u2019]+/u;
const CAPITAL = /\p{Uppercase}/gu;
const MAX_WORD = 50;

/** Letters alone, so that “João  Silva” and “joao silva” are one name: docs/recall.md#who-is-one-patient */
export function plainName(name: string): string {
  return inSmallLetters(name.normalize('NFKD').replace(COMBINING_AND_SPACE, ''));
}

/** The words of a name without accents and capitals; of a longer word its first 50 letters. */
export function plainWords(name: string): string[] {
  return inSmallLetters(name.normalize('NFKD').replace(COMBINING, ''))
    .split(BETWEEN_WORDS)
    .filter((word) => word !== '')
    .map((word) => firstLetters(word, MAX_WORD));
}

/** @param count of code points, as PostgreSQL counts letters */
function firstLetters(word: string, count: number): string {
  return word.length <= count ? word : Array.from(word).slice(0, count).join('');
}

/** Each by itself, as PostgreSQL does it: a sigma at the end of a word stays the one that stands elsewhere. */
function inSmallLetters(text: string): string {
  return text.replace(CAPITAL, (letter) => letter.toLowerCase());
}
