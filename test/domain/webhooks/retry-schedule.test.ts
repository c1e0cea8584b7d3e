import { expect, test } from '@jest/globals';
import { nextAttemptAt } from '../../../domain/webhooks/retry-schedule.ts';
import { STANDARD_TIMINGS } from '../../../domain/timings.ts';

const ENDED = new Date('2026-03-02T09:00:00.250Z');
const { retryDelaysSeconds } = STANDARD_TIMINGS;

test.each([
  [1, '2026-03-02T09:00:30.250Z'],
  [2, '2026-03-02T09:05:00.250Z'],
  [3, '2026-03-02T09:30:00.250Z'],
  [4, '2026-03-02T11:00:00.250Z'],
  [5, '2026-03-02T21:00:00.250Z'],
])('after attempt %i the next one is due exactly at %s', (attempt, due) => {
  expect(nextAttemptAt(attempt, ENDED, retryDelaysSeconds)?.toISOString()).toBe(due);
});

test('after the sixth attempt there is none', () => {
  expect(nextAttemptAt(6, ENDED, retryDelaysSeconds)).toBeNull();
});
