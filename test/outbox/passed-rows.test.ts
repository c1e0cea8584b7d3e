import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ClaimedDelivery } from '../../db/outbox/claim-deliveries.ts';
import { PassedRows } from '../../worker/outbox/passed-rows.ts';

function claimed(endpointId: string, ...ids: number[]): ClaimedDelivery[] {
  return ids.map((id) => ({ outboxId: String(id), delivery: { endpointId } }) as ClaimedDelivery);
}

const NOTHING = { endpointIds: [], upTo: [] };

test('a claim passes over what was claimed a quarter of a second before; one a second looks at all', () => {
  const passed = new PassedRows();
  expect(passed.next(0)).toEqual(NOTHING);
  passed.claimed([...claimed('a', 1, 2), ...claimed('b', 3)]);
  expect(passed.next(100)).toEqual(NOTHING);
  expect(passed.next(250)).toEqual(NOTHING);
  expect(passed.next(500)).toEqual({ endpointIds: ['a', 'b'], upTo: ['2', '3'] });
  passed.claimed(claimed('a', 9, 10));
  expect(passed.next(750)).toEqual({ endpointIds: ['a', 'b'], upTo: ['2', '3'] });
  expect(passed.next(999)).toEqual({ endpointIds: ['a', 'b'], upTo: ['2', '3'] });
  expect(passed.next(1000)).toEqual(NOTHING);
  expect(passed.next(1001)).toEqual({ endpointIds: ['b', 'a'], upTo: ['3', '10'] });
});

test('a row is not passed over by a younger one that was claimed less than a quarter of a second before it came', () => {
  const claims = fc.array(
    fc.record({ afterMs: fc.integer({ min: 1, max: 400 }), id: fc.integer({ min: 1, max: 99 }) }),
    {
      minLength: 2,
      maxLength: 30,
    },
  );
  fc.assert(
    fc.property(claims, (steps) => {
      const passed = new PassedRows();
      const made: { id: number; atMs: number }[] = [];
      let nowMs = 0;
      for (const { afterMs, id } of steps) {
        nowMs += afterMs;
        const upTo = Number(passed.next(nowMs).upTo[0] ?? 0);
        const longAgo = made.filter(({ atMs }) => nowMs - atMs >= 250);
        expect(upTo).toBeLessThanOrEqual(Math.max(0, ...longAgo.map((each) => each.id)));
        passed.claimed(claimed('a', id));
        made.push({ id, atMs: nowMs });
      }
    }),
  );
});

test('when older rows are found, those behind them are not passed over', () => {
  const passed = new PassedRows();
  expect(passed.next(0)).toEqual(NOTHING);
  passed.claimed(claimed('a', 1000));
  expect(passed.next(250)).toEqual(NOTHING);
  passed.claimed(claimed('a', 5, 6));
  expect(passed.next(500)).toEqual({ endpointIds: ['a'], upTo: ['6'] });
});

test('it remembers no more than 256 endpoints', () => {
  const passed = new PassedRows();
  passed.next(0);
  for (let i = 0; i < 300; i += 1) passed.claimed(claimed(`endpoint ${i}`, i + 1));
  passed.next(250);
  expect(passed.next(500).endpointIds).toEqual(Array.from({ length: 256 }, (_, i) => `endpoint ${i + 44}`));
});

test('whenever rows come, in whatever order, each is claimed within little more than a second', () => {
  const rows = fc.uniqueArray(
    fc.record({ id: fc.integer({ min: 1, max: 200 }), at: fc.integer({ min: 0, max: 50 }) }),
    { selector: ({ id }) => id, maxLength: 60 },
  );
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 5 }), (coming, share) => {
      const passed = new PassedRows();
      const left = new Map(coming.map(({ id, at }) => [id, at * 20]));
      const most = Math.ceil(coming.length / share);
      for (let nowMs = 0; left.size > 0; nowMs += 20) {
        // All have come after a second; from then on every claim but the first few finds a share.
        expect(nowMs).toBeLessThanOrEqual(1000 + 1000 + 20 * 2 * most);
        const { upTo } = passed.next(nowMs);
        const from = Number(upTo[0] ?? 0);
        const there = [...left].filter(([id, at]) => at <= nowMs && id > from).map(([id]) => id);
        const taken = there.toSorted((a, b) => a - b).slice(0, share);
        passed.claimed(claimed('a', ...taken));
        for (const id of taken) left.delete(id);
      }
    }),
  );
});
