import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createBatcher } from '../../db/connection/batcher.ts';
import { isPassingFailure } from '../../db/connection/database-errors.ts';

/** A statement that ends when told. */
interface Asked {
  items: readonly number[];
  answer(): Promise<void>;
  fail(error: unknown): Promise<void>;
}

let asked: Asked[];

/** Answers each number with its double. */
function batched(): (item: number) => Promise<number> {
  return createBatcher((items: readonly number[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<number[]>();
    const andThen = async (end: () => void) => {
      end();
      await jest.advanceTimersByTimeAsync(0);
    };
    asked.push({
      items,
      answer: () => andThen(() => resolve(items.map((item) => item * 2))),
      fail: (error) => andThen(() => reject(error)),
    });
    return promise;
  });
}

const arrived = () => jest.advanceTimersByTimeAsync(0);
const askedItems = () => asked.map(({ items }) => items);
const undone = (code: string) => Object.assign(new Error('undone'), { code });
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

beforeEach(() => {
  asked = [];
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('a lone item is asked for at once', async () => {
  const double = batched();
  const answer = double(21);
  await arrived();
  expect(askedItems()).toEqual([[21]]);
  await asked[0]?.answer();
  await expect(answer).resolves.toBe(42);
});

test('what arrives together is asked for together, and each gets its own answer', async () => {
  const double = batched();
  const answers = Promise.all(numbers(5).map(double));
  await arrived();
  expect(askedItems()).toEqual([[0, 1, 2, 3, 4]]);
  await asked[0]?.answer();
  await expect(answers).resolves.toEqual([0, 2, 4, 6, 8]);
});

test('what arrives while a statement runs goes with the next one', async () => {
  const double = batched();
  void double(1);
  await arrived();
  const later = Promise.all([double(2), double(3)]);
  await arrived();
  expect(askedItems()).toEqual([[1]]);
  await asked[0]?.answer();
  expect(askedItems()).toEqual([[1], [2, 3]]);
  await asked[1]?.answer();
  await expect(later).resolves.toEqual([4, 6]);
});

test('many begin a second statement beside the first, but never a third', async () => {
  const double = batched();
  void double(100);
  await arrived();
  void Promise.all(numbers(72).map(double));
  await arrived();
  expect(askedItems()).toEqual([[100], numbers(32)]);
  await asked[1]?.answer();
  expect(askedItems()).toEqual([[100], numbers(32), numbers(64).slice(32)]);
  await asked[0]?.answer();
  expect(askedItems().at(-1)).toEqual(numbers(72).slice(64));
});

test('a statement that waits for a lock is not waited for', async () => {
  const double = batched();
  const stuck = double(1);
  await arrived();
  const next = double(2);
  await jest.advanceTimersByTimeAsync(20);
  expect(askedItems()).toEqual([[1], [2]]);
  await asked[1]?.answer();
  await expect(next).resolves.toBe(4);
  await asked[0]?.answer();
  await expect(stuck).resolves.toBe(2);
});

describe('when the database is slow', () => {
  test('no more than three statements run, however many requests wait', async () => {
    const double = batched();
    for (const item of numbers(100)) {
      void double(item);
      await jest.advanceTimersByTimeAsync(20);
    }
    expect(askedItems()).toEqual([[0], [1], [2]]);
    await asked[1]?.answer();
    expect(askedItems().slice(3)).toEqual([numbers(35).slice(3)]);
  });

  test('who has waited for three seconds is told that the database is busy', async () => {
    const double = batched();
    for (const item of [1, 2, 3]) {
      void double(item);
      await jest.advanceTimersByTimeAsync(20);
    }
    const waiting = [4, 5].map((item) => double(item).catch(isPassingFailure));
    await jest.advanceTimersByTimeAsync(3000);
    const late = double(6);
    await asked[0]?.answer();
    expect(askedItems().slice(3)).toEqual([[6]]);
    await asked[3]?.answer();
    expect(await Promise.all([...waiting, late])).toEqual([true, true, 12]);
  });

  test('who finds a thousand waiting is told so at once', async () => {
    const double = batched();
    void double(0);
    await arrived();
    const waiting = numbers(1001).map((item) => double(item).catch(isPassingFailure));
    expect(await waiting.at(-1)).toBe(true);
    expect(asked).toHaveLength(1);
  });
});

describe('a statement that fails', () => {
  test.each(['22003', '23503', '40P01', '55P03'])(
    'with SQLSTATE %s is repeated item by item',
    async (code) => {
      const double = batched();
      const answers = Promise.allSettled([1, 2, 3].map(double));
      await arrived();
      await asked[0]?.fail(undone(code));
      expect(askedItems().slice(1)).toEqual([[1], [2], [3]]);
      await asked[1]?.answer();
      await asked[2]?.fail(undone(code));
      await asked[3]?.answer();
      const outcomes = await answers;
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(asked).toHaveLength(4);
    },
  );

  test.each([
    ['a lost connection, after which it may have been done', new Error('Connection terminated unexpectedly')],
    ['a server that shuts down', undone('57P01')],
  ])('for %s is not repeated', async (_, error) => {
    const double = batched();
    const answers = Promise.allSettled([1, 2].map(double));
    await arrived();
    await asked[0]?.fail(error);
    expect(await answers).toEqual([
      { status: 'rejected', reason: error },
      { status: 'rejected', reason: error },
    ]);
    expect(asked).toHaveLength(1);
  });
});
