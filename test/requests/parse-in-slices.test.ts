import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { markLargeIntegers, parseInSlices } from '../../api/middleware/reading/parse-in-slices.ts';

/** So much that the text is not parsed at once. */
const MANY = JSON.stringify([1, 2].map(() => '] " \\'.repeat(30_000)));
const large = (member: string) => `{"many":${MANY},"member":${member}}`;

/** What is made of a text, without the part that is always the same; null where it is refused. */
async function madeOf(parse: () => unknown): Promise<string | null> {
  try {
    return JSON.stringify(await parse()).replace(MANY, '');
  } catch {
    return null;
  }
}

async function expectSame(json: string): Promise<void> {
  const inSlices = await madeOf(() => parseInSlices('clinic', json));
  expect(inSlices).toBe(await madeOf(() => JSON.parse(markLargeIntegers(json))));
}

const MARKS = ['[', ']', '{', '}', ',', ':', '"', '\\', ' ', '0', '\u00a0', '{"__proto__":[1]}', '[[],[[]]]'];

test('a large text has the value that JSON.parse gives it', async () => {
  const value = fc.json({ maxDepth: 4, stringUnit: 'binary' });
  await fc.assert(
    fc.asyncProperty(value, (member) => expectSame(large(member))),
    { numRuns: 60 },
  );
});

test('a large text that is not valid is refused, wherever the fault is', async () => {
  const changed = fc.record({
    json: fc.json({ maxDepth: 4 }),
    at: fc.nat(60),
    mark: fc.constantFrom(...MARKS),
  });
  await fc.assert(
    fc.asyncProperty(changed, ({ json, at, mark }) =>
      expectSame(large(`${json.slice(0, at)}${mark}${json.slice(at + 1)}`)),
    ),
    { numRuns: 150 },
  );
});

test.each([
  ['no list', '1'],
  ['empty lists', '[ ], "b": [\t]'],
  ['a space that JSON does not know', '[\u00a0]'],
  ['a comma too many', '[1,]'],
  ['a member twice', '[1], "member": [2, 3]'],
  ['a member named __proto__', '[1], "__proto__": [{ "a": 1 }]'],
  ['lists in lists and objects', '[[1, [2]], { "a": [3] }], "o": { "b": [4, 5] }'],
  ['more after its end', '[1]}{'],
])('with %s, too', async (_name, member) => {
  await expectSame(large(member));
});

test.each([
  ['one item', `[${JSON.stringify('x'.repeat(270_000))}]`, 'in one item'],
  ['anything but lists', `{ "a": "${'x'.repeat(270_000)}" }`, 'in one item'],
  ['a list', `[${'0,'.repeat(10_000)}0]`, 'more than 10000 items'],
])('too much in %s is refused before it is parsed', async (_name, member, message) => {
  await expect(parseInSlices('clinic', large(member))).rejects.toThrow(
    expect.objectContaining({ code: 'validation_failed', message: expect.stringContaining(message) }),
  );
});
