import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createCachedAnswer } from '../../adapters/timing/cached-answer.ts';
import { until } from '../support/until.ts';

test('an answer that comes late is not waited for, and is given to those who ask afterwards', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const ask = createCachedAnswer(() => promise, { deadlineMs: 1, freshMs: 3_600_000 });
  expect(await ask()).toBeNull();
  resolve('late');
  expect(await until('the late answer', ask)).toBe('late');
});

test('a question that took long is not asked again at once, one that was answered quickly is', async () => {
  let asked = 0;
  const slowly = async () => {
    asked += 1;
    await nextTurn();
    return asked;
  };
  const rested = createCachedAnswer(slowly, { deadlineMs: 60_000, freshMs: 0, restFactor: 1e9 });
  expect([await rested(), await rested()]).toEqual([1, 1]);
  const tireless = createCachedAnswer(slowly, { deadlineMs: 60_000, freshMs: 0 });
  expect([await tireless(), await tireless()]).toEqual([2, 3]);
});

test('a question that fails has no answer, and may be asked again', async () => {
  const answers = [Promise.reject(new Error('away')), Promise.resolve('here')];
  const ask = createCachedAnswer(async () => answers.shift(), { deadlineMs: 60_000, freshMs: 0 });
  expect([await ask(), await ask()]).toEqual([null, 'here']);
});

test('while the next answer is awaited the one before is given, until the deadline says that there is none', async () => {
  const answers = [Promise.resolve('first'), new Promise<string>(() => undefined)];
  const ask = createCachedAnswer(() => answers.shift() ?? Promise.resolve('more'), {
    deadlineMs: 50,
    freshMs: 0,
    patienceMs: 1,
  });
  expect(await ask()).toBe('first');
  expect(await ask()).toBe('first');
  expect(await until('no answer', async () => (await ask()) === null)).toBe(true);
  expect(await ask()).toBeNull();
});
