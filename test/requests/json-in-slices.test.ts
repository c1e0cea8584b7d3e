import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { jsonInSlices } from '../../api/middleware/answering/set-answer.ts';

const textOf = async (body: unknown) => Buffer.concat(await jsonInSlices('clinic', body)).toString();

const item = fc.oneof(
  fc.jsonValue(),
  fc.constant(undefined),
  fc.date({ noInvalidDate: true }),
  fc.record({ id: fc.string(), missing: fc.constant(undefined) }),
);

test('an answer with long lists is the same to the byte as in one piece', async () => {
  const member = fc.oneof(item, fc.array(item, { minLength: 33, maxLength: 60 }));
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string(), member), async (body) => {
      expect(await textOf(body)).toBe(JSON.stringify(body));
    }),
    { numRuns: 200 },
  );
});

test.each([
  ['nothing', null],
  ['a text', 'text'],
  ['a list', Array.from({ length: 50 }, () => ({}))],
])('so is %s', async (_name, body) => {
  expect(await textOf(body)).toBe(JSON.stringify(body));
});

test('a long answer is made in pieces', async () => {
  const body = { items: Array.from({ length: 300 }, (_, nr) => ({ nr, text: 'ã'.repeat(10_000) })) };
  const pieces = await jsonInSlices('clinic', body);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(200_000);
  expect(Buffer.concat(pieces).toString()).toBe(JSON.stringify(body));
});
