import fc from 'fast-check';
import { expect, test } from '@jest/globals';
import { BurstQueue, MAX_BURST } from '../../worker/outbox/burst-queue.ts';

const SECOND = 1000;

/** Plans and records so many successes of a clinic; returns which bursts they name. */
function record(queue: BurstQueue, clinicId: string, count: number, nowMs = 0): string[] {
  return Array.from({ length: count }, () => {
    const workflowId = queue.plan(clinicId, nowMs);
    queue.settle(workflowId);
    return workflowId;
  });
}

test('each clinic has a burst of its own, which waits a second for more', () => {
  const queue = new BurstQueue();
  const [first] = record(queue, 'first', 2, 0);
  const [second] = record(queue, 'second', 1, 100);
  expect(record(queue, 'first', 1, 900)).toEqual([first]);
  expect(queue.take(SECOND - 1)).toBeNull();
  expect(queue.take(SECOND)).toBe(first);
  expect(queue.take(SECOND)).toBeNull();
  expect(queue.take(SECOND + 100)).toBe(second);
  expect(queue.takeAll()).toEqual([]);
});

test('a full burst is started before older ones, and another one takes what comes after', () => {
  const queue = new BurstQueue();
  const [older] = record(queue, 'older', 1, 0);
  const named = record(queue, 'clinic', MAX_BURST + 1, 10);
  const [full, rest] = [named[0], named.at(-1)];
  expect(named.filter((workflowId) => workflowId === full)).toHaveLength(MAX_BURST);
  expect(queue.take(2 * SECOND)).toBe(full);
  expect(queue.take(2 * SECOND)).toBe(older);
  expect(queue.take(2 * SECOND)).toBe(rest);
});

test('a burst waits for all that name it to be recorded, and takes no more meanwhile', () => {
  const queue = new BurstQueue();
  const first = queue.plan('clinic', 0);
  expect(queue.take(SECOND)).toBeNull();
  const [second] = record(queue, 'clinic', 1, SECOND);
  expect(second).not.toBe(first);
  queue.settle(first);
  expect(queue.take(SECOND)).toBe(first);
});

test('what another worker starts is named no more', () => {
  const queue = new BurstQueue();
  const [first = ''] = record(queue, 'clinic', 1, 0);
  queue.forget(first);
  expect(record(queue, 'clinic', 1, 0)).not.toEqual([first]);
});

test('whatever comes and goes, each burst is taken once, with deliveries of one clinic, and none is too large', () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({
        clinic: fc.constantFrom('a', 'b', 'c'),
        count: fc.integer({ min: 1, max: 2 * MAX_BURST }),
      }),
      fc.constant('take' as const),
    ),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(steps, (story) => {
      const queue = new BurstQueue();
      const named = new Map<string, string[]>();
      const taken: (string | null)[] = [];
      let nowMs = 0;
      for (const step of story) {
        nowMs += 300;
        if (step === 'take') taken.push(queue.take(nowMs));
        else {
          for (const workflowId of record(queue, step.clinic, step.count, nowMs)) {
            named.set(workflowId, [...(named.get(workflowId) ?? []), step.clinic]);
            expect(taken).not.toContain(workflowId);
          }
        }
      }
      taken.push(...queue.takeAll());
      expect(taken.filter((workflowId) => workflowId !== null).toSorted()).toEqual(
        [...named.keys()].toSorted(),
      );
      for (const clinics of named.values()) {
        expect(new Set(clinics).size).toBe(1);
        expect(clinics.length).toBeLessThanOrEqual(MAX_BURST);
      }
    }),
  );
});
