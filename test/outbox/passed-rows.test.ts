import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ClaimedDelivery } from '../../db/outbox/claim-deliveries.ts';
import { NOTHING_PASSED, type PassedRowIds } from '../../db/outbox/claim-first-attempts.ts';
import { endpointsLeft } from '../../worker/outbox/left-rows.ts';
import { PassedRows } from '../../worker/outbox/passed-rows.ts';

interface Row {
  id: number;
  endpointId: string;
}

const ENDPOINTS = ['a', 'b', 'c'];
const ANY = { ids: [], free: [], unlisted: Infinity };

function claimed(endpointId: string, ...ids: number[]): ClaimedDelivery[] {
  return asClaimed(ids.map((id) => ({ id, endpointId })));
}

function asClaimed(rows: Row[]): ClaimedDelivery[] {
  return rows.map(
    ({ id, endpointId }) => ({ outboxId: String(id), delivery: { endpointId } }) as ClaimedDelivery,
  );
}

/** What a claim takes of the rows there are: the oldest of each endpoint that has room. */
function take(rows: Row[], room: number[], passed: PassedRowIds): Row[] {
  const { ofAllUpTo, alsoOf, endpointIds, upTo } = passed;
  const newer = rows.filter(({ id }) => ofAllUpTo === null || id > Number(ofAllUpTo));
  const looked = new Set([...newer.map(({ endpointId }) => endpointId), ...alsoOf]);
  return ENDPOINTS.flatMap((endpointId, at) => {
    const from = Number(upTo[endpointIds.indexOf(endpointId)] ?? 0);
    const own = rows.filter((row) => row.endpointId === endpointId && row.id > from);
    return looked.has(endpointId) ? own.toSorted((a, b) => a.id - b.id).slice(0, room[at]) : [];
  }).toSorted((a, b) => a.id - b.id);
}

function leftBy(taken: Row[], room: number[]): string[] | null {
  const free = { endpoint: { ids: ENDPOINTS, free: room, unlisted: 0 }, clinic: ANY, host: ANY };
  return endpointsLeft(asClaimed(taken), Infinity, free);
}

test('a claim passes over what was claimed a quarter of a second before; one a second looks at all', () => {
  const passed = new PassedRows();
  expect(passed.next(0)).toEqual(NOTHING_PASSED);
  passed.claimed([...claimed('a', 1, 2), ...claimed('b', 3)], []);
  expect(passed.next(250)).toEqual(NOTHING_PASSED);
  expect(passed.next(500)).toEqual(NOTHING_PASSED);
  const first = { endpointIds: ['a', 'b'], upTo: ['2', '3'], ofAllUpTo: '3', alsoOf: [] };
  expect(passed.next(501)).toEqual(first);
  passed.claimed(claimed('a', 9, 10), []);
  expect(passed.next(750)).toEqual(first);
  expect(passed.next(999)).toEqual(first);
  expect(passed.next(1000)).toEqual(NOTHING_PASSED);
  passed.claimed(claimed('b', 11), ['c']);
  expect(passed.next(1001)).toEqual({
    endpointIds: ['b', 'a'],
    upTo: ['3', '10'],
    ofAllUpTo: '10',
    alsoOf: ['c'],
  });
});

test('when older rows are found, those behind them are not passed over', () => {
  const passed = new PassedRows();
  passed.next(0);
  passed.claimed(claimed('a', 1000), []);
  passed.next(250);
  passed.next(500);
  passed.claimed(claimed('a', 5, 6), []);
  expect(passed.next(501)).toEqual({ endpointIds: ['a'], upTo: ['6'], ofAllUpTo: '6', alsoOf: [] });
});

test('when any endpoint may have rows left, all are looked at', () => {
  const passed = new PassedRows();
  passed.next(0);
  passed.claimed(claimed('a', 7), []);
  passed.next(250);
  passed.next(500);
  passed.claimed(claimed('a', 8), null);
  expect(passed.next(501)).toEqual({ endpointIds: ['a'], upTo: ['7'], ofAllUpTo: null, alsoOf: [] });
});

test('it remembers no more than 256 endpoints', () => {
  const passed = new PassedRows();
  passed.next(0);
  for (let i = 0; i < 300; i += 1) passed.claimed(claimed(`endpoint ${i}`, i + 1), []);
  passed.next(250);
  passed.next(500);
  expect(passed.next(501).endpointIds).toEqual(Array.from({ length: 256 }, (_, i) => `endpoint ${i + 44}`));
});

const ROWS = fc.array(
  fc.record({
    endpointId: fc.constantFrom(...ENDPOINTS),
    afterMs: fc.integer({ min: 0, max: 30 }),
    /** From the moment its id was drawn until it is committed. */
    takesMs: fc.integer({ min: 0, max: 249 }),
  }),
  { minLength: 20, maxLength: 120 },
);
const CLAIMS = fc.array(
  fc.record({ afterMs: fc.integer({ min: 1, max: 200 }), room: fc.constantFrom(0, 1, 2, Infinity) }),
  { minLength: 10, maxLength: 40 },
);

test('rows that come in another order than their ids are claimed as if every claim looked at all', () => {
  fc.assert(
    fc.property(ROWS, CLAIMS, (coming, claims) => {
      const passed = new PassedRows();
      let drawnMs = 0;
      let left = coming.map(({ endpointId, afterMs, takesMs }, at) => {
        drawnMs += afterMs;
        return { id: at + 1, endpointId, comesMs: drawnMs + takesMs };
      });
      let nowMs = 0;
      for (const { afterMs, room } of claims) {
        nowMs += afterMs;
        const there = left.filter(({ comesMs }) => comesMs <= nowMs);
        // One endpoint has little room now and then; the others must not notice.
        const rooms = [Infinity, room, Infinity];
        const taken = take(there, rooms, passed.next(nowMs));
        passed.claimed(asClaimed(taken), leftBy(taken, rooms));
        left = left.filter((row) => !taken.includes(row));
        const waiting = left.filter(({ comesMs, endpointId }) => comesMs <= nowMs && endpointId !== 'b');
        expect(waiting).toEqual([]);
      }
    }),
    { numRuns: 500 },
  );
});

test('whenever rows come, in whatever order, each is claimed within little more than a second', () => {
  const rows = fc.uniqueArray(
    fc.record({ id: fc.integer({ min: 1, max: 200 }), at: fc.integer({ min: 0, max: 50 }) }),
    { selector: ({ id }) => id, maxLength: 60 },
  );
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 5 }), (coming, share) => {
      const passed = new PassedRows();
      let left = coming.map(({ id, at }) => ({ id, endpointId: 'a', comesMs: at * 20 }));
      const most = Math.ceil(coming.length / share);
      for (let nowMs = 0; left.length > 0; nowMs += 20) {
        // All have come after a second; from then on every claim but the first few finds a share.
        expect(nowMs).toBeLessThanOrEqual(1000 + 1000 + 20 * 2 * most);
        const there = left.filter(({ comesMs }) => comesMs <= nowMs);
        const taken = take(there, [share], passed.next(nowMs));
        passed.claimed(asClaimed(taken), leftBy(taken, [share, 0, 0]));
        left = left.filter((row) => !taken.includes(row));
      }
    }),
  );
});
