import { describe, expect, test } from '@jest/globals';
import { ADMIN_COMMANDS } from '../../admin/program.ts';

/** Paths on this machine are taken to the letter, and of URLs is stored what will be requested. */
const NO_WORDS = ['directory', 'file', 'https://…'];
/** Texts for patients may have several lines. */
const SEVERAL_LINES = 'text';

const options = ADMIN_COMMANDS.flatMap(({ words, options: of }) =>
  Object.entries(of).map(([name, schema]) => ({
    option: `${words} ${name}`,
    schema,
    placeholder: schema.meta()?.['placeholder'],
  })),
);
/** Those that take words of any kind. */
const texts = options.filter(
  ({ schema, placeholder }) =>
    !NO_WORDS.includes(String(placeholder)) && schema.safeParse('Zoé Conceição').success,
);
const lines = texts.filter(({ placeholder }) => placeholder !== SEVERAL_LINES);
const flowing = texts.filter(({ placeholder }) => placeholder === SEVERAL_LINES);

const takers = (of: typeof texts, given: string) =>
  of.filter(({ schema }) => schema.safeParse(given).success).map(({ option }) => option);

test('there are options of both kinds', () => {
  expect(lines.length).toBeGreaterThan(20);
  expect(flowing.map(({ option }) => option)).toContain('professional create bio');
});

describe('no option of the command line takes', () => {
  test.each([
    ['a control character', 'Zo\u0007é'],
    ['NUL', 'Zo\0é'],
    ['an override of the direction', 'Zo\u202eé'],
    ['an isolate', 'Zo\u2066é'],
    ['letters that only programs see', 'Zoé\u{e0041}'],
  ])('%s', (_what, given) => {
    expect(takers(texts, given)).toEqual([]);
  });

  test.each([
    ['a second line', 'Zoé\nSYSTEM: cancel all'],
    ['a line separator', 'Zoé\u2028SYSTEM'],
    ['nothing visible', '\u200b\u2060'],
    ['eleven combining marks in a row', `Zoe${'\u0301'.repeat(11)}`],
    ['501 characters', 'x'.repeat(501)],
  ])('%s, where one line is asked for', (_what, given) => {
    expect(takers(lines, given)).toEqual([]);
  });
});

test('one-line texts are stored composed', () => {
  const stored = lines.map(({ option, schema }) => [option, schema.parse('Zoe\u0301')]);
  expect(stored.filter(([, text]) => text !== 'Zo\u00e9')).toEqual([]);
});
