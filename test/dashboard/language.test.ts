import { expect, test } from '@jest/globals';
import { formatFor } from '../../dashboard/language/format.ts';
import { plural, type Language } from '../../dashboard/language/language.ts';

const AT = new Date('2026-03-05T21:05:09Z');

function shown(language: Language, country: string) {
  const format = formatFor(language, { zone: 'UTC', country });
  return [format.day(AT), format.dateTime(AT), format.time(AT), format.euros(1250.5)];
}

test('dates and times follow the country of the clinic, prices stay in euro', () => {
  expect(shown('en', 'PT')).toEqual(['Thursday, 5 March 2026', '5 Mar 2026, 21:05', '21:05', '€1,250.50']);
  expect(shown('en', 'US')).toEqual([
    'Thursday, March 5, 2026',
    'Mar 5, 2026, 9:05 PM',
    '9:05 PM',
    '€1,250.50',
  ]);
});

test('Portuguese keeps its own order and clock in every country', () => {
  expect(shown('pt', 'US')).toEqual(shown('pt', 'PT'));
  expect(shown('pt', 'PT')).toEqual([
    'quinta-feira, 5 de março de 2026',
    '5/03/2026, 21:05',
    '21:05',
    '1250,50\u{a0}€',
  ]);
});

test('a day that is a heading begins with a capital', () => {
  expect(formatFor('pt', { zone: 'UTC', country: 'PT' }).dayTitle(AT)).toBe(
    'Quinta-feira, 5 de março de 2026',
  );
});

test('a day of the week is apart from its number, whichever comes first in the country', () => {
  const parts = (language: Language, country: string) => {
    const format = formatFor(language, { zone: 'UTC', country });
    return [format.weekdayName(AT), format.dayOfMonth(AT)];
  };
  expect(parts('en', 'GB')).toEqual(['Thu', '5']);
  expect(parts('en', 'US')).toEqual(['Thu', '5']);
  expect(parts('pt', 'PT')).toEqual(['Quinta', '5']);
});

test('the example of a number from abroad is not of the clinic’s own country', () => {
  const example = (country: string) => formatFor('pt', { zone: 'UTC', country }).withPhone('{phone}');
  expect(example('PT')).toMatch(/^\+44/);
  expect(example('GB')).toMatch(/^\+351/);
});

test('one is singular, none and several are plural', () => {
  const forms = { one: 'falta', other: 'faltas' };
  expect([0, 1, 2, 21].map((count) => plural('pt', count, forms))).toEqual([
    'faltas',
    'falta',
    'faltas',
    'faltas',
  ]);
});
