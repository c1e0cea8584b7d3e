import fc from 'fast-check';
import { expect, test } from '@jest/globals';
import { deliveryWorkflowId, isBurstWorkflowId } from '../../domain/temporal-names.ts';
import type { RecordedDelivery } from '../../worker/outbox/recorded-delivery.ts';
import { EndedDeliveries, LARGEST_BURST, type EndedTogether } from '../../worker/outbox/ended-deliveries.ts';

/** What the queue looks at: who it is and which workflow its row names. */
function ended(id: string, workflowId: string, endpointId = 'endpoint'): RecordedDelivery {
  return { outboxId: id, delivery: { endpointId }, progress: { workflowId } } as RecordedDelivery;
}

/** Records so many successes together, as a worker does, and lets them wait for their workflow. */
function record(deliveries: EndedDeliveries, ids: string[], nowMs = 0): void {
  const burst = deliveries.burstFor(ids.length);
  for (const id of ids) deliveries.add(ended(id, burst ?? deliveryWorkflowId(id, 'endpoint', 0)), nowMs);
}

function idsUpTo(count: number): string[] {
  return Array.from({ length: count }, (_, at) => String(at));
}

function idsOf({ ended: together }: EndedTogether): string[] {
  return together.map(({ outboxId }) => outboxId);
}

test('up to five have workflows of their own', () => {
  const deliveries = new EndedDeliveries();
  for (const id of idsUpTo(5)) record(deliveries, [id]);
  const taken = deliveries.take();
  expect(taken.burst).toBeNull();
  expect(idsOf(taken)).toEqual(idsUpTo(5));
});

test('many that are recorded together name the burst that carries them', () => {
  const deliveries = new EndedDeliveries();
  record(deliveries, idsUpTo(6));
  const { burst, ended: together } = deliveries.take();
  expect(together.map(({ progress }) => progress.workflowId)).toEqual(Array(6).fill(burst));
  expect(isBurstWorkflowId(String(burst))).toBe(true);
});

test('what is recorded one by one names the burst too, once many have come', () => {
  const deliveries = new EndedDeliveries();
  record(deliveries, idsUpTo(6));
  deliveries.take();
  record(deliveries, ['later']);
  const { burst, ended: together } = deliveries.take();
  expect(together.map(({ progress }) => progress.workflowId)).toEqual([burst]);
  record(deliveries, ['alone']);
  expect(deliveries.take().burst).toBeNull();
});

test('a delivery whose burst was started without it gets another', () => {
  const deliveries = new EndedDeliveries();
  const first = String(deliveries.burstFor(10));
  deliveries.add(ended('in time', first), 0);
  expect(deliveries.take().burst).toBe(first);
  deliveries.add(ended('late', first), 0);
  const { burst } = deliveries.take();
  expect(isBurstWorkflowId(String(burst))).toBe(true);
  expect(burst).not.toBe(first);
});

test('as long as more than a burst come within a look, their records wait, but no longer than ten seconds', () => {
  const deliveries = new EndedDeliveries();
  const flood = (nowMs: number) => record(deliveries, idsUpTo(LARGEST_BURST), nowMs);
  record(deliveries, ['first'], 0);
  flood(0);
  expect(deliveries.mayWait(1000)).toBe(true);
  expect(deliveries.mayWait(2000)).toBe(false);
  flood(9000);
  record(deliveries, ['another'], 9000);
  expect(deliveries.mayWait(9999)).toBe(true);
  flood(9999);
  record(deliveries, ['one more'], 9999);
  expect(deliveries.mayWait(10_000)).toBe(false);
  while (deliveries.size > 0) deliveries.take();
  flood(10_000);
  record(deliveries, ['after'], 10_000);
  expect(deliveries.mayWait(11_000)).toBe(true);
  while (deliveries.size > 0) deliveries.take();
  expect(deliveries.mayWait(12_000)).toBe(false);
});

test('the records of a flood of many endpoints do not wait', () => {
  const deliveries = new EndedDeliveries();
  for (const id of idsUpTo(300)) deliveries.add(ended(id, 'delivery:own', `endpoint ${id}`), 0);
  expect(deliveries.mayWait(0)).toBe(false);
});

test('whatever comes and goes, each is carried once, and no burst is started twice or too large', () => {
  const steps = fc.array(fc.oneof(fc.integer({ min: 1, max: LARGEST_BURST }), fc.constant('take' as const)), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(steps, (story) => {
      const deliveries = new EndedDeliveries();
      const taken: EndedTogether[] = [];
      let count = 0;
      for (const step of story) {
        if (step !== 'take')
          record(
            deliveries,
            idsUpTo(step).map(() => String((count += 1))),
          );
        else if (deliveries.size > 0) taken.push(deliveries.take());
      }
      while (deliveries.size > 0) taken.push(deliveries.take());
      const bursts = taken.flatMap(({ burst }) => burst ?? []);
      expect(new Set(bursts).size).toBe(bursts.length);
      expect(taken.flatMap(idsOf).length).toBe(count);
      expect(new Set(taken.flatMap(idsOf)).size).toBe(count);
      expect(Math.max(0, ...taken.map(({ ended: { length } }) => length))).toBeLessThanOrEqual(LARGEST_BURST);
    }),
  );
});
