import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { countRequest, purgeRequestWindows, type CountedRequest } from '../../../db/requests/rate-limit.ts';
import { KEY_LIMITS, type RateLimit } from '../../../domain/rate-limits.ts';
import { suiteDatabase } from '../../support/database.ts';
import { slidingWindowModel } from './sliding-window-model.ts';

const NOON = Date.parse('2026-03-02T12:00:00.000Z');

let subjects = 0;

const database = await suiteDatabase();

function newSubject(): string {
  subjects += 1;
  return `key:test-${subjects}`;
}

async function countAt(
  subject: string,
  timesMs: readonly number[],
  limits: readonly RateLimit[] = KEY_LIMITS,
): Promise<CountedRequest[]> {
  const counted = [];
  for (const ms of timesMs) {
    counted.push(await countRequest(database.em(), subject, limits, new Date(NOON + ms)));
  }
  return counted;
}

function accepted(counted: readonly CountedRequest[]): boolean[] {
  return counted.map(({ isAccepted }) => isAccepted);
}

/** `count` times, `everyMs` apart. */
function times(count: number, everyMs: number): number[] {
  return Array.from({ length: count }, (_, at) => Math.floor(at * everyMs));
}

describe('a key', () => {
  test('gets 30 of 31 requests in one second', async () => {
    const counted = await countAt(newSubject(), times(31, 30));
    expect(accepted(counted)).toEqual([...Array<boolean>(30).fill(true), false]);
    expect(counted[30]?.retryAfterMs).toBe(100);
  });

  test('gets 300 of 301 requests in one minute', async () => {
    const counted = await countAt(newSubject(), times(301, 199));
    expect(accepted(counted)).toEqual([...Array<boolean>(300).fill(true), false]);
    expect(counted[300]?.retryAfterMs).toBe(60_000 - 300 * 199);
  });

  test('is never refused for its bursts while it keeps to 30 requests a second', async () => {
    const even = await countAt(newSubject(), times(300, 1000 / 30));
    const inBursts = await countAt(
      newSubject(),
      times(300, 0).map((_, at) => Math.floor(at / 30) * 1000),
    );
    expect(accepted([...even, ...inBursts])).not.toContain(false);
  });

  test('has each window told: what remains and when the earliest counted request leaves it', async () => {
    const counted = await countAt(newSubject(), [0, 400, 1000]);
    const told = counted.map(({ windows }) =>
      windows.map(({ remaining, resetsInMs }) => [remaining, resetsInMs]),
    );
    expect(told).toEqual([
      [
        [299, 60_000],
        [29, 1000],
      ],
      [
        [298, 59_600],
        [28, 600],
      ],
      [
        [297, 59_000],
        [28, 400],
      ],
    ]);
  });

  test('is not charged for a refused request', async () => {
    const limits = [{ name: 'one', requests: 1, windowSeconds: 1 }];
    const counted = await countAt(newSubject(), [0, 500, 999, 1000, 1500, 2000], limits);
    expect(accepted(counted)).toEqual([true, false, false, true, false, true]);
  });

  test('does not share its windows with another key', async () => {
    await countAt(newSubject(), times(31, 0));
    expect(accepted(await countAt(newSubject(), [0]))).toEqual([true]);
  });

  test('starts afresh when the clock of the database is set back', async () => {
    const counted = await countAt(newSubject(), [...times(30, 0), -3_600_000]);
    expect(accepted(counted)).not.toContain(false);
  });
});

test('the database’s own clock is used unless another time is given', async () => {
  const before = await clock();
  const { countedAt } = await countRequest(database.em(), newSubject(), KEY_LIMITS);
  expect(countedAt.getTime()).toBeGreaterThanOrEqual(Math.floor(before));
  expect(countedAt.getTime()).toBeLessThanOrEqual(Math.ceil(await clock()));
});

async function clock(): Promise<number> {
  const [row] = await database
    .em()
    .execute<[{ ms: number }]>('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms');
  return row.ms;
}

test('requests that come at the same instant over many connections are counted exactly', async () => {
  const subject = newSubject();
  const at = new Date(NOON);
  const counted = await Promise.all(
    times(60, 0).map(() => countRequest(database.em(), subject, KEY_LIMITS, at)),
  );
  expect(accepted(counted).filter(Boolean)).toHaveLength(30);
});

const limit = fc.record({
  name: fc.constant('some'),
  requests: fc.integer({ min: 1, max: 6 }),
  windowSeconds: fc.integer({ min: 1, max: 4 }),
});
/** Steps of a quarter second meet the edges of the windows often. */
const steps = fc.array(
  fc.integer({ min: 0, max: 6 }).map((quarters) => quarters * 250),
  {
    minLength: 1,
    maxLength: 40,
  },
);

test('agrees with a model that remembers every request, for any limits and any times', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(limit, { minLength: 1, maxLength: 3 }), steps, async (limits, gaps) => {
      const model = slidingWindowModel(limits);
      const subject = newSubject();
      let ms = 0;
      for (const gap of gaps) {
        ms += gap;
        const [counted] = await countAt(subject, [ms], limits);
        expect(counted && { ...counted, countedAt: undefined }).toEqual({
          ...model(ms),
          countedAt: undefined,
        });
      }
    }),
    { numRuns: 60 },
  );
});

test('a refused client that waits as long as it is told is accepted, and one that comes a millisecond early is not', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(limit, { minLength: 1, maxLength: 3 }), steps, async (limits, gaps) => {
      const subject = newSubject();
      let ms = 0;
      for (const gap of gaps) {
        ms += gap;
        const [counted] = await countAt(subject, [ms], limits);
        if (!counted || counted.isAccepted) continue;
        const early = ms + counted.retryAfterMs - 1;
        ms += counted.retryAfterMs;
        expect(accepted(await countAt(subject, [early, ms], limits))).toEqual([false, true]);
      }
    }),
    { numRuns: 60 },
  );
});

test('rows of idle keys and addresses are removed, a few at a time, and busy ones stay', async () => {
  const em = database.em();
  await em.execute('DELETE FROM request_window');
  const idle = [newSubject(), newSubject(), newSubject()];
  for (const subject of idle) await countAt(subject, [0]);
  const busy = newSubject();
  await countRequest(em, busy, KEY_LIMITS);
  expect(await purgeRequestWindows(em, 60, 2)).toBe(2);
  expect(await purgeRequestWindows(em, 60, 2)).toBe(1);
  expect(await purgeRequestWindows(em, 60, 2)).toBe(0);
  const left = await em.execute<{ subject: string }[]>('SELECT subject FROM request_window');
  expect(left).toEqual([{ subject: busy }]);
});
