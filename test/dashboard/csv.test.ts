import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SEPARATORS } from '../../dashboard/csv/csv-download.ts';
import { csvLine } from '../../domain/text/csv-line.ts';

const PARTS = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '\u2212', '"', ';', ',', '\t', '\r', '\n', ' '];
const UNSEEN = ['\u00a0', '\u200b', '\u2060', '\ufeff', '\u00ad', '\u200e', '\u3000'];
const cell = fc.string({ unit: fc.constantFrom(...PARTS, ...UNSEEN, 'a', '1', "'"), maxLength: 14 });

/** What a cell begins with for a spreadsheet that leaves away what is not seen, and reads wide signs as narrow ones. */
function beginningOf(text: string): string {
  const seen = text.replace(/^[\s\p{Cf}\p{Default_Ignorable_Code_Point}]+/u, '');
  return (seen[0] ?? '').normalize('NFKC').replace('\u2212', '-');
}

/** As RFC 4180 has it. */
function cellsOf(line: string, separator: string): string[] {
  const cells: string[] = [];
  const form = new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}"]*))(?:${separator}|$)`, 'gy');
  for (const [, quoted, plain = ''] of line.slice(0, -2).matchAll(form))
    cells.push(quoted?.replaceAll('""', '"') ?? plain);
  return cells;
}

test.each([
  ['en', ','],
  ['pt', ';'],
] as const)('no text is a formula in a file in %s', (language, separator) => {
  fc.assert(
    fc.property(cell, cell, (one, other) => {
      const [first = '', second = ''] = cellsOf(csvLine([one, other], SEPARATORS[language]), separator);
      for (const text of [first, second]) expect('=+-@').not.toContain(beginningOf(text) || 'a');
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ['en', ';'],
  ['pt', ','],
] as const)('nor where a file in %s is parted as abroad', (language, separator) => {
  fc.assert(
    fc.property(cell, (text) => {
      const line = csvLine([text], SEPARATORS[language]).slice(0, -2);
      const [first = '', ...parts] = line.split(new RegExp(`[${separator}\\t\\r\\n]`));
      // Only quotes at the beginning of a line are seen to be around a cell.
      const cells = [first.replace(/^"/, ''), ...parts.map((part) => part.replace(/^"+/, ''))];
      for (const text of cells) expect('=+-@').not.toContain(beginningOf(text) || 'a');
    }),
    { numRuns: 2000 },
  );
});

test('what is no formula stays as it is, and a number is a number', () => {
  expect(csvLine(['Sá-Lima', 'a=b', -3, 'Ana (＋1)'], SEPARATORS.en)).toBe('Sá-Lima,a=b,-3,Ana (＋1)\r\n');
});
