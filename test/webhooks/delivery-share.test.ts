import { expect, test } from '@jest/globals';
import { ATTEMPTS_AT_ONCE, deferralPauseMs } from '../../domain/webhooks/delivery-share.ts';

test.each([
  [1, 1000],
  [2, 2000],
  [3, 4000],
  [5, 16_000],
  [6, 30_000],
  [7, 30_000],
  [5000, 30_000],
])('after it was put off %i times, a delivery asks again in %i ms', (timesDeferred, pauseMs) => {
  expect(deferralPauseMs(timesDeferred)).toBe(pauseMs);
});

test('a clinic has room for more than one endpoint that hangs', () => {
  expect(ATTEMPTS_AT_ONCE.perClinic).toBeGreaterThan(ATTEMPTS_AT_ONCE.perEndpoint);
});
