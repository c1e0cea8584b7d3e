import type { ClinicCipher } from '../encryption/clinic-ciphers.ts';
import { plainNameBefore, plainWordsBefore } from './plain-name-before.ts';
import { plainName, plainWords, unbrokenWords } from './plain-name.ts';

type Hashing = Pick<ClinicCipher, 'hash'>;

/** The hashes by which an encrypted name is found: docs/decisions/0025-sealed-at-rest.md */
export interface NameHashes {
  /** The hash of the whole name in the form of `plainName`: 32 hex digits. Null for an erased patient. */
  nameHash: string | null;
  /** Hashes of the beginnings of the name's words, as a PostgreSQL array. */
  nameTokens: string | null;
}

/** The lengths of beginnings that are hashed. For longer search words, the few matches are decrypted and compared. */
const BEGINNINGS = [1, 2, 3, 4, 5, 6, 8, 10, 12];
const HASH_BYTES = 16;

/** @param name null: an erased patient, who cannot be found */
export function hashesOfName(cipher: Hashing, name: string | null): NameHashes {
  if (name === null) return { nameHash: null, nameTokens: null };
  return { nameHash: hashOf(cipher, plainName(name)), nameTokens: asArray(tokensOfName(cipher, name)) };
}

/**
 * All hashes that rows with this name may have: the current hash first, then the hash of the previous rule while stored
 * hashes are being recomputed.
 */
export function everyHashOfName(cipher: Hashing, name: string): string[] {
  const plain = new Set([plainName(name), plainNameBefore(name)]);
  return [...plain].map((each) => hashOf(cipher, each));
}

function hashOf(cipher: Hashing, plain: string): string {
  return cipher.hash('patient-name', plain).subarray(0, HASH_BYTES).toString('hex');
}

export interface NameQuestion {
  /** A possible match has all tokens of one of these lists. Empty: nothing can be found. */
  tokens: string[];
  /** Null when the tokens are sufficient. */
  mustAlsoFit: ((name: string) => boolean) | null;
}

/** Prepares a search by name. @param question the beginnings of a name's words, in any order */
export function askForName(cipher: Hashing, question: string): NameQuestion {
  const ways = [plainWords(question), unbrokenWords(question), plainWordsBefore(question)];
  const asked = new Map(ways.filter((words) => words.length > 0).map((words) => [words.join(' '), words]));
  const areCut = [...asked.values()].flat().some((word) => longestBeginning(word) !== word);
  return {
    tokens: [...asked.values()].map((words) => asArray(tokensOf(cipher, words.map(longestBeginning)))),
    mustAlsoFit: areCut ? (name) => [...asked.values()].some((words) => isBegunByEach(name, words)) : null,
  };
}

function isBegunByEach(name: string, asked: readonly string[]): boolean {
  const named = [...wordsToBegin(name), ...plainWordsBefore(name)];
  return asked.every((beginning) => named.some((word) => word.startsWith(beginning)));
}

/** The words of a name, both split and unsplit at apostrophes and hyphens. */
function wordsToBegin(name: string): Set<string> {
  return new Set([...plainWords(name), ...unbrokenWords(name)]);
}

function tokensOfName(cipher: Hashing, name: string): bigint[] {
  return tokensOf(cipher, [...wordsToBegin(name)].flatMap(beginningsOf));
}

function longestBeginning(word: string): string {
  return beginningsOf(word).at(-1) ?? '';
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
