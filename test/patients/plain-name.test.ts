import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { isSameName, plainName, plainWords } from '../../domain/patients/plain-name.ts';
import { suiteDatabase } from '../support/database.ts';

const database = await suiteDatabase();

/** The words of each, as the database finds clinics by them. */
async function wordsInDatabase(names: readonly string[]): Promise<string[]> {
  const rows = await database
    .em()
    .execute<{ words: string }[]>(
      'SELECT plain_words(name) AS words FROM json_array_elements_text(?::json) WITH ORDINALITY AS given (name, at) ORDER BY at',
      [JSON.stringify(names)],
    );
  return rows.map(({ words }) => words);
}

const aName = fc
  .string({ unit: 'grapheme', maxLength: 20 })
  .filter((name) => !name.includes('\0') && name.isWellFormed());
const letters = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'.split('')), minLength: 1 });

test('a plain name is plain already', () =>
  fc.assert(fc.property(aName, (name) => expect(plainName(plainName(name))).toBe(plainName(name)))));

test('one patient is one, whatever spaces and accents are put into the name and in which form it comes', () =>
  fc.assert(
    fc.property(
      aName,
      fc.nat(20),
      fc.constantFrom(' ', '  ', '\t', '\u{301}', '\u{327}'),
      (name, at, put) => {
        const changed = Array.from(name).toSpliced(at, 0, put).join('');
        for (const same of [changed, name.normalize('NFD'), name.normalize('NFC')])
          expect(plainName(same)).toBe(plainName(name));
      },
    ),
  ));

test('a name stays the same whatever apostrophes, hyphens and invisible signs are put into it', () =>
  fc.assert(
    fc.property(
      letters,
      aName,
      fc.nat(20),
      fc.constantFrom(...Array.from("-‐‑–—−·'’‘ʼʻ´`′＇.,"), '\u00ad', '\u200b', '\u200d', '\ufe0f'),
      (first, more, at, put) => {
        const name = first + more;
        const changed = Array.from(name).toSpliced(at, 0, put).join('');
        expect(isSameName(changed, name)).toBe(true);
        expect(plainWords(changed).join('')).toBe(plainWords(name).join(''));
      },
    ),
  ));

test('two names are one exactly when their letters are, capitals aside', () =>
  fc.assert(
    fc.property(letters, letters, (one, other) => {
      expect(plainName(one) === plainName(other)).toBe(one === other);
      expect(plainName(one.toUpperCase())).toBe(plainName(one));
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

test('patients and clinics are found by the same words of a name', () =>
  fc.assert(
    fc.asyncProperty(fc.array(aName, { minLength: 1, maxLength: 50 }), async (some) => {
      const names = [...some, ...SOME_NAMES];
      expect(names.map((name) => plainWords(name).join(' '))).toEqual(await wordsInDatabase(names));
    }),
  ));
