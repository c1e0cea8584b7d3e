import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  canonicalNumber,
  readPhoneNumber,
  readPossibleNumber,
} from '../../adapters/phones/read-phone-number.ts';

const COUNTRY = fc.constantFrom('PT', 'GB', 'DE', 'BR', 'US', 'IN');
const E164 = /^\+[1-9]\d{1,14}$/;
const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 14 });
const number = fc
  .tuple(fc.integer({ min: 1, max: 9 }), digits)
  .map(([first, rest]) => `+${first}${rest.join('')}`);
const separator = fc.constantFrom('', '', ' ', '.', '-', '/', '(', ')', '\u{a0}');

test('a number with its country is the same however it is set apart, and whether it begins with + or 00', () => {
  fc.assert(
    fc.property(
      number,
      fc.array(separator, { minLength: 15, maxLength: 15 }),
      COUNTRY,
      (text, separators, country) => {
        const apart = text.replaceAll(/\d/g, (digit, at: number) => `${digit}${separators[at % 15] ?? ''}`);
        const read = canonicalNumber(text);
        expect(readPhoneNumber(apart, country)).toBe(read);
        expect(readPhoneNumber(apart.replace('+', '00'), country)).toBe(read);
        expect(canonicalNumber(read)).toBe(read);
      },
    ),
  );
});

test('whatever is written is no number, or one in E.164 that reads as itself in every country', () => {
  const odd = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc
      .array(
        fc.constantFrom(
          '+',
          '0',
          '00',
          '9',
          '12',
          ' ',
          '(0)',
          'ext',
          ';',
          '#',
          '*',
          '٣',
          '９',
          'tel:',
          'abc',
        ),
        { maxLength: 14 },
      )
      .map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(odd, COUNTRY, COUNTRY, (written, country, other) => {
      const read = readPhoneNumber(written, country);
      if (read === null) return;
      expect([written, read]).toEqual([written, expect.stringMatching(E164)]);
      expect(readPhoneNumber(read, other)).toBe(read);
    }),
    { numRuns: 3000 },
  );
});

test('a number of the right country that is longer than E.164 allows is none', () => {
  expect(readPhoneNumber('12(0)12123121212', 'DE')).toBeNull();
});

test.each([
  ['+44 (0)20 7946 0018', 'PT', '+442079460018'],
  ['+4402079460018', 'PT', '+442079460018'],
  ['0044 20 7946 0018', 'PT', '+442079460018'],
  ['(020) 7946-0018', 'GB', '+442079460018'],
  ['tel:+44-20-7946-0018', 'PT', '+442079460018'],
  ['912 345 678', 'PT', '+351912345678'],
  ['+39 06 1234 5678', 'PT', '+390612345678'],
  ['+39 (0)6 1234 5678', 'PT', '+390612345678'],

  ['+1 (212) 555-0123', 'PT', '+12125550123'],
])('%s, dialled in %s, is %s', (written, country, number) => {
  expect(readPhoneNumber(written, country)).toBe(number);
  expect(readPossibleNumber(written, country)).toBe(number);
});

test.each(['+999123456789', '+3519123456', '+44207946', '+10000'])(
  'a number that no plan has is read as it is, and is not possible: %s',
  (written) => {
    expect([readPhoneNumber(written, 'PT'), canonicalNumber(written)]).toEqual([written, written]);
    expect(readPossibleNumber(written, 'PT')).toBeNull();
  },
);
