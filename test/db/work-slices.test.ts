import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createWorkSlices } from '../../db/connection/work-slices.ts';

/** Slices of a clock that each item moves on by a slice, so that each takes one item. */
function slicesOfOneItem() {
  let now = 0;
  const done: string[] = [];
  const inSlices = createWorkSlices(() => now);
  const work = (clinic: string, name: string, count = 40) =>
    inSlices(clinic, [...Array(count).keys()], (nr) => {
      now += 1;
      done.push(name);
      return nr;
    });
  return { work, done };
}

test('the results are in the order of the items', async () => {
  const { work } = slicesOfOneItem();
  expect(await work('clinic', 'work')).toEqual([...Array(40).keys()]);
});

test('few items are done at once', async () => {
  const { work, done } = slicesOfOneItem();
  const few = work('clinic', 'few', 32);
  await Promise.race([few, nextTurn()]);
  expect(done).toHaveLength(32);
});

test('in each turn of the event loop there is one slice, however much work waits', async () => {
  const { work, done } = slicesOfOneItem();
  const works = ['a', 'b', 'c', 'd'].map((name) => work(`clinic of ${name}`, name));
  const lengths: number[] = [];
  while (done.length < 160) {
    await nextTurn();
    lengths.push(done.length);
  }
  await Promise.all(works);
  const steps = lengths.slice(1).map((length, at) => length - (lengths[at] ?? 0));
  expect(Math.max(...steps)).toBe(1);
});

test('clinics take turns, and the work of one ends in the order in which it began', async () => {
  const { work, done } = slicesOfOneItem();
  const busy = ['first', 'second', 'third'].map((name) => work('busy', name));
  await nextTurn();
  await work('other', 'other');
  expect(done.filter((name) => name === 'first').length).toBeLessThanOrEqual(done.length / 2 + 2);
  await Promise.all(busy);
  const own = done.filter((name) => name !== 'other');
  expect(own).toEqual(own.toSorted());
});

test('work that fails lets the next go on', async () => {
  const inSlices = createWorkSlices();
  const many = [...Array(40).keys()];
  await expect(inSlices('clinic', many, () => Promise.reject(new Error('refused')))).rejects.toThrow(
    'refused',
  );
  expect(await inSlices('clinic', many, (nr) => nr)).toEqual(many);
});
