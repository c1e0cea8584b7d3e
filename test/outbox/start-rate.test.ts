import fc from 'fast-check';
import { describe, expect, test } from '@jest/globals';
import { StartRate } from '../../worker/temporal/start-rate.ts';

const MINUTES = 3;
/** A worker looks so often for timers that may be started. */
const TICK_MS = 250;

interface Load {
  timersPerSecond: number;
  deliveriesPerSecond: number;
  /** Bursts that wait at any time. */
  burstsWait: boolean;
}

/** Steady load for minutes; returns what was started in a second, on average, and how many timers wait at the end. */
function minutesOf({ timersPerSecond, deliveriesPerSecond, burstsWait }: Load, rate: number) {
  let nowMs = 0;
  const startRate = new StartRate(rate, () => nowMs);
  const started = { timers: 0, deliveries: 0, bursts: 0 };
  let waiting = 0;
  let wanted = 0;
  const ticks = (MINUTES * 60_000) / TICK_MS;
  for (let tick = 0; tick < ticks; tick += 1) {
    nowMs += TICK_MS;
    waiting += (timersPerSecond * TICK_MS) / 1000;
    wanted += (deliveriesPerSecond * TICK_MS) / 1000;
    const allowed = startRate.allowedTimers();
    const taken = Math.min(allowed, Math.floor(waiting));
    startRate.tookTimers(taken, allowed > 0 && taken === allowed);
    waiting -= taken;
    started.timers += taken;
    const own = startRate.takeDeliveries(Math.floor(wanted));
    wanted -= Math.floor(wanted);
    started.deliveries += own;
    if (!burstsWait) continue;
    for (; startRate.allowsBurst(); started.bursts += 1) startRate.tookBurst();
  }
  const perSecond = (count: number) => count / (MINUTES * 60);
  return {
    timers: perSecond(started.timers),
    deliveries: perSecond(started.deliveries),
    bursts: perSecond(started.bursts),
    waiting: Math.floor(waiting),
  };
}

describe('at 20 a second', () => {
  test('four bookings a second leave every delivery its own workflow', () => {
    const { timers, deliveries, waiting } = minutesOf(
      { timersPerSecond: 4, deliveriesPerSecond: 4, burstsWait: false },
      20,
    );
    expect(timers).toBeCloseTo(4, 1);
    expect(deliveries).toBeCloseTo(4, 1);
    expect(waiting).toBe(0);
  });

  test('ten bookings a second leave deliveries a quarter of the rate', () => {
    const { timers, deliveries, waiting } = minutesOf(
      { timersPerSecond: 10, deliveriesPerSecond: 10, burstsWait: true },
      20,
    );
    expect(timers).toBeCloseTo(10, 0);
    expect(deliveries).toBeGreaterThan(4);
    expect(deliveries).toBeLessThan(5.1);
    expect(waiting).toBeLessThan(10);
  });

  test('a backlog of timers takes all but the reserved tenth', () => {
    const { timers, deliveries, bursts } = minutesOf(
      { timersPerSecond: 100, deliveriesPerSecond: 100, burstsWait: true },
      20,
    );
    expect(timers).toBeCloseTo(18, 0);
    expect(deliveries).toBeLessThan(0.1);
    expect(bursts).toBeCloseTo(2, 0);
  });
});

test('whatever the load, no share starves and the rate is kept', () => {
  const load = fc.record({
    timersPerSecond: fc.integer({ min: 0, max: 2000 }),
    deliveriesPerSecond: fc.integer({ min: 0, max: 2000 }),
    burstsWait: fc.boolean(),
  });
  fc.assert(
    fc.property(load, fc.integer({ min: 4, max: 1000 }), (given, rate) => {
      const { timers, deliveries, bursts } = minutesOf(given, rate);
      const reserved = Math.max(rate / 10, 2);
      // Buckets that are full at the beginning give a second's worth more.
      const most = (perSecond: number) => perSecond * (1 + 1 / (MINUTES * 60)) + 0.1;
      expect(timers + deliveries + bursts).toBeLessThanOrEqual(most(rate));
      expect(timers).toBeGreaterThanOrEqual(Math.min(given.timersPerSecond, (rate - reserved) * 0.95) - 0.1);
      expect(deliveries).toBeLessThanOrEqual(most(rate / 4));
      if (given.burstsWait) expect(bursts).toBeGreaterThanOrEqual(reserved * 0.9);
    }),
    { numRuns: 30 },
  );
});
