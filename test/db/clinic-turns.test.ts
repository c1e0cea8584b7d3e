import { expect, test } from '@jest/globals';
import { createClinicLimiter } from '../../db/connection/clinic-limiter.ts';

/** Work that ends when told. */
function someWork() {
  const { promise, resolve } = Promise.withResolvers<string>();
  let hasBegun = false;
  const begin = () => {
    hasBegun = true;
    return promise;
  };
  return { begin, hasBegun: () => hasBegun, end: () => resolve('done') };
}

test('a clinic does only so much at a time, in the order it came, and others do not wait for it', async () => {
  const takeTurn = createClinicLimiter(2);
  const works = Array.from({ length: 4 }, someWork);
  const ends = works.map((work) => takeTurn('busy', work.begin));
  expect(works.map((work) => work.hasBegun())).toEqual([true, true, false, false]);
  expect(await takeTurn('other', async () => 'at once')).toBe('at once');
  works[1]?.end();
  await ends[1];
  expect(works.map((work) => work.hasBegun())).toEqual([true, true, true, false]);
  for (const work of works) work.end();
  expect(await Promise.all(ends)).toEqual(['done', 'done', 'done', 'done']);
});

test('work that fails gives its turn to the next', async () => {
  const takeTurn = createClinicLimiter(1);
  const failing = takeTurn('clinic', () => Promise.reject(new Error('refused')));
  const next = takeTurn('clinic', async () => 'done');
  await expect(failing).rejects.toThrow('refused');
  expect(await next).toBe('done');
});

test('the next turn of a clinic begins after a rest, and another clinic works meanwhile', async () => {
  const takeTurn = createClinicLimiter(1, 60_000);
  const [first, second] = [someWork(), someWork()];
  const ends = [first, second].map((work) => takeTurn('busy', work.begin));
  const begun: string[] = [];
  first.end();
  await ends[0];
  begun.push(await takeTurn('other', async () => 'other'));
  expect([begun, second.hasBegun()]).toEqual([['other'], false]);
  second.end();
  await ends[1];
  expect(second.hasBegun()).toBe(true);
});
