import fc from 'fast-check';
import { expect, test } from '@jest/globals';
import type { RecordedDelivery } from '../../worker/outbox/recorded-delivery.ts';
import { BurstQueue, LARGEST_BURST, type Burst } from '../../worker/outbox/burst-queue.ts';

const SECOND = 1000;

/** What the queue looks at: whose a delivery is and which workflow its row names. */
function delivery(id: string, clinicId: string): RecordedDelivery {
  return { outboxId: id, delivery: { tenantId: clinicId } } as RecordedDelivery;
}

/** Records so many successes of a clinic, as a worker does. */
function record(queue: BurstQueue, clinicId: string, ids: string[], nowMs = 0): void {
  for (const id of ids) queue.add(delivery(id, clinicId), queue.reserve(clinicId, nowMs), nowMs);
}

function idsUpTo(count: number): string[] {
  return Array.from({ length: count }, (_, at) => String(at));
}

function idsOf(burst: Burst | null): string[] {
  return burst?.deliveries.map(({ outboxId }) => outboxId) ?? [];
}

test('each clinic has a burst of its own, which waits a second for more', () => {
  const queue = new BurstQueue();
  record(queue, 'first', ['a', 'b'], 0);
  record(queue, 'second', ['c'], 100);
  record(queue, 'first', ['d'], 900);
  expect(queue.isReady(SECOND - 1)).toBe(false);
  expect(idsOf(queue.take(SECOND))).toEqual(['a', 'b', 'd']);
  expect(queue.take(SECOND)).toBeNull();
  const second = queue.take(SECOND + 100);
  expect([second?.clinicId, idsOf(second)]).toEqual(['second', ['c']]);
  expect(queue.size).toBe(0);
});

test('a full burst is started before older ones, and another one takes what comes after', () => {
  const queue = new BurstQueue();
  record(queue, 'older', ['old'], 0);
  record(queue, 'clinic', idsUpTo(LARGEST_BURST + 1), 10);
  const full = queue.take(20);
  expect(idsOf(full)).toEqual(idsUpTo(LARGEST_BURST));
  expect(queue.isReady(20)).toBe(false);
  expect(idsOf(queue.take(5 * SECOND))).toEqual(['old']);
  const rest = queue.take(5 * SECOND);
  expect(idsOf(rest)).toEqual([String(LARGEST_BURST)]);
  expect(rest?.workflowId).not.toBe(full?.workflowId);
});

test('a delivery whose burst was started without it joins another', () => {
  const queue = new BurstQueue();
  const reserved = queue.reserve('clinic', 0);
  record(queue, 'clinic', ['in time'], 0);
  expect(queue.take(SECOND)?.workflowId).toBe(reserved);
  queue.add(delivery('late', 'clinic'), reserved, SECOND);
  const another = queue.take(2 * SECOND);
  expect(idsOf(another)).toEqual(['late']);
  expect(another?.workflowId).not.toBe(reserved);
});

test('places that nothing took start no burst', () => {
  const queue = new BurstQueue();
  queue.reserve('clinic', 0);
  for (const nowMs of [SECOND, 60 * SECOND, 120 * SECOND]) expect(queue.isReady(nowMs)).toBe(false);
  record(queue, 'clinic', ['later'], 200 * SECOND);
  expect(idsOf(queue.take(201 * SECOND))).toEqual(['later']);
});

test('whatever comes and goes, each delivery is taken once, with its clinic’s others alone, and no burst is too large', () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({
        clinic: fc.constantFrom('a', 'b', 'c'),
        count: fc.integer({ min: 1, max: 2 * LARGEST_BURST }),
      }),
      fc.constant('take' as const),
    ),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(steps, (story) => {
      const queue = new BurstQueue();
      const taken: Burst[] = [];
      let count = 0;
      let nowMs = 0;
      for (const step of story) {
        nowMs += 300;
        if (step === 'take') {
          const burst = queue.take(nowMs);
          if (burst) taken.push(burst);
          continue;
        }
        const ids = idsUpTo(step.count).map(() => String((count += 1)));
        record(queue, step.clinic, ids, nowMs);
      }
      taken.push(...queue.takeAll());
      expect(queue.size).toBe(0);
      expect(new Set(taken.map(({ workflowId }) => workflowId)).size).toBe(taken.length);
      expect(new Set(taken.flatMap(idsOf)).size).toBe(count);
      expect(taken.flatMap(idsOf)).toHaveLength(count);
      for (const { clinicId, deliveries } of taken) {
        expect(deliveries.length).toBeLessThanOrEqual(LARGEST_BURST);
        expect(deliveries.every(({ delivery: { tenantId } }) => tenantId === clinicId)).toBe(true);
      }
    }),
  );
});
