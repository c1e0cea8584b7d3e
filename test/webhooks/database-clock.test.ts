import { expect, test } from '@jest/globals';
import { momentNow } from '../../adapters/timing/moment.ts';
import { createDatabaseClock } from '../../adapters/timing/database-clock.ts';

const NOON_MS = Date.UTC(2026, 2, 2, 12);
/** A slow machine may stand still for so long between two lines of a test. */
const NEAR_MS = 4000;

/** Asks a clock that reads noon, and later so much more; the answer came so long after the question. */
function asked(clock: ReturnType<typeof createDatabaseClock>, { setByMs = 0, travelledMs = 0 } = {}) {
  const { monotonicMs, wallMs } = momentNow();
  const askedAt = { monotonicMs: monotonicMs - travelledMs, wallMs: wallMs - travelledMs };
  return clock.told(NOON_MS + setByMs, askedAt).getTime() - NOON_MS;
}

test('an answer that was long on its way dates nothing later', () => {
  const clock = createDatabaseClock();
  const first = asked(clock);
  const afterLongWay = asked(clock, { travelledMs: 60_000 });
  expect(afterLongWay).toBeLessThan(NEAR_MS);
  expect(afterLongWay).toBeGreaterThanOrEqual(first);
  expect(asked(clock)).toBeGreaterThanOrEqual(afterLongWay);
});

test('a first answer that was long on its way is put right by the next', () => {
  const clock = createDatabaseClock();
  asked(clock, { travelledMs: 60_000 });
  expect(asked(clock)).toBeLessThan(NEAR_MS);
});

test.each([3_600_000, -3_600_000])('a clock that is set by %i ms is followed', (setByMs) => {
  const clock = createDatabaseClock();
  asked(clock);
  expect(Math.abs(asked(clock, { setByMs }) - setByMs)).toBeLessThan(NEAR_MS);
});
