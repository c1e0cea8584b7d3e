import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { plainName, plainWords } from '../../domain/patients/plain-name.ts';
import { openTestDatabase, type OpenTestDatabase } from '../support/database.ts';

let database: OpenTestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

/** As the database tells names apart that a version before has written. */
async function plain(...names: string[]): Promise<string[]> {
  return asked('plain_name', names);
}

async function asked(by: 'plain_name' | 'plain_words', names: readonly string[]): Promise<string[]> {
  const rows = await database
    .em()
    .execute<{ plain: string }[]>(
      `SELECT ${by}(name) AS plain FROM json_array_elements_text(?::json) WITH ORDINALITY AS given (name, at) ORDER BY at`,
      [JSON.stringify(names)],
    );
  return rows.map((row) => row.plain);
}

const aName = fc
  .string({ unit: 'grapheme', maxLength: 20 })
  .filter((name) => !name.includes('\0') && name.isWellFormed());
const letters = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'.split('')), minLength: 1 });
const manyNames = fc.array(aName, { minLength: 1, maxLength: 50 });

test('a plain name is plain already', () =>
  fc.assert(
    fc.asyncProperty(manyNames, async (names) => {
      const once = await plain(...names);
      expect(await plain(...once)).toEqual(once);
    }),
  ));

test('one patient is one, whatever spaces and accents are put into the name and in which form it comes', () =>
  fc.assert(
    fc.asyncProperty(
      manyNames,
      fc.nat(20),
      fc.constantFrom(' ', '  ', '\t', '\u{301}', '\u{327}'),
      async (names, at, put) => {
        const changed = names.map((name) => Array.from(name).toSpliced(at, 0, put).join(''));
        const expected = await plain(...names);
        expect(await plain(...changed)).toEqual(expected);
        expect(await plain(...names.map((name) => name.normalize('NFD')))).toEqual(expected);
        expect(await plain(...names.map((name) => name.normalize('NFC')))).toEqual(expected);
      },
    ),
  ));

test('two names are one exactly when their letters are, capitals aside', () =>
  fc.assert(
    fc.asyncProperty(letters, letters, async (one, other) => {
      const [plainOne, plainOther, capital] = await plain(one, other, one.toUpperCase());
      expect(plainOne === plainOther).toBe(one === other);
      expect(capital).toBe(plainOne);
    }),
  ));

const SOME_NAMES = [
  'João  da Silva-Sá',
  'ΣΟΦΙΑ ΠΑΠΑΔΟΠΟΥΛΟΥΣ',
  'Łukasz Øster & Sønn',
  'Đặng Thị Ánh',
  'Ǆemal İlker ı',
  'ﬁona ²Ⅷ',
  "O’Neill D'Arc ‘x’",
  `${'é'.repeat(49)}ß ${'𝔄'.repeat(60)}`,
  'a\u00a0b\u2003c\u3000d\u1680e\u2028f',
  '田中 さくら',
  '...',
];

test('names that are hashed are told apart as the database tells those that are not', () =>
  fc.assert(
    fc.asyncProperty(manyNames, async (some) => {
      const names = [...some, ...SOME_NAMES];
      expect(names.map(plainName)).toEqual(await plain(...names));
      expect(names.map((name) => plainWords(name).join(' '))).toEqual(await asked('plain_words', names));
    }),
  ));
