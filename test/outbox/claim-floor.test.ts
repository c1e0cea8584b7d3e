import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ClaimedDelivery } from '../../db/outbox/claim-deliveries.ts';
import { MAX_LEFT, type Receiver } from '../../db/outbox/claim-first-attempts.ts';
import { ClaimFloor } from '../../worker/outbox/claim-floor.ts';

interface Row {
  id: number;
  endpointId: string;
}

const ENDPOINTS = ['a', 'b', 'c'];

function receiver(endpointId: string): Receiver {
  return { endpointId, clinicId: 'clinic', host: 'host' };
}

function asClaim(ids: readonly number[], left: readonly string[] = []) {
  const rows = ids.map((id) => ({ outboxId: String(id) }) as ClaimedDelivery);
  return { rows, left: left.map(receiver) };
}

/** What a claim takes of the rows there are, the oldest of each endpoint that has room, and whose it leaves. */
function take(rows: Row[], room: readonly number[], onlyNew: ReturnType<ClaimFloor['next']>) {
  const beyond = onlyNew ? Number(onlyNew.beyond) : 0;
  const alsoOf = onlyNew?.alsoOf ?? [];
  const looked = ENDPOINTS.map((endpointId, at) => {
    const from = alsoOf.includes(endpointId) ? 0 : beyond;
    const own = rows.filter((row) => row.endpointId === endpointId && row.id > from);
    return { endpointId, own: own.toSorted((a, b) => a.id - b.id), room: room[at] ?? 0 };
  });
  const taken = looked.flatMap((each) => each.own.slice(0, each.room)).toSorted((a, b) => a.id - b.id);
  const left = looked.filter((each) => each.own.length > each.room).map(({ endpointId }) => endpointId);
  return { taken, left };
}

test('a claim looks beyond what was claimed a quarter of a second before, and once a second at all rows', () => {
  const floor = new ClaimFloor();
  expect(floor.next(0)).toBeNull();
  floor.claimed(asClaim([1, 2, 3]));
  expect(floor.next(250)).toBeNull();
  expect(floor.next(500)).toBeNull();
  expect(floor.next(501)).toEqual({ beyond: '3', alsoOf: [] });
  floor.claimed(asClaim([9, 10], ['c']));
  expect(floor.next(750)).toEqual({ beyond: '3', alsoOf: ['c'] });
  expect(floor.next(1000)).toEqual({ beyond: '3', alsoOf: ['c'] });
  expect(floor.next(1001)).toEqual({ beyond: '10', alsoOf: ['c'] });
  expect(floor.next(1500)).toBeNull();
  // A row that was put back, far below.
  floor.claimed(asClaim([4]));
  expect(floor.next(1501)).toEqual({ beyond: '10', alsoOf: [] });
});

test('when rows of too many endpoints were left, all are looked at', () => {
  const floor = new ClaimFloor();
  floor.next(0);
  for (const nowMs of [250, 500, 501]) {
    floor.claimed(asClaim([7]));
    floor.next(nowMs);
  }
  floor.claimed(
    asClaim(
      [8],
      Array.from({ length: MAX_LEFT }, (_, at) => `endpoint ${at}`),
    ),
  );
  expect(floor.next(502)).toBeNull();
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
      const floor = new ClaimFloor();
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
        const claim = take(there, [Infinity, room, Infinity], floor.next(nowMs));
        floor.claimed(
          asClaim(
            claim.taken.map(({ id }) => id),
            claim.left,
          ),
        );
        left = left.filter(({ id }) => !claim.taken.some((row) => row.id === id));
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
      const floor = new ClaimFloor();
      let left = coming.map(({ id, at }) => ({ id, endpointId: 'a', comesMs: at * 20 }));
      const most = Math.ceil(coming.length / share);
      for (let nowMs = 0; left.length > 0; nowMs += 20) {
        // All have come after a second; from then on every claim but the first few finds a share.
        expect(nowMs).toBeLessThanOrEqual(1000 + 1000 + 20 * 2 * most);
        const there = left.filter(({ comesMs }) => comesMs <= nowMs);
        const claim = take(there, [share], floor.next(nowMs));
        floor.claimed(
          asClaim(
            claim.taken.map(({ id }) => id),
            claim.left,
          ),
        );
        left = left.filter(({ id }) => !claim.taken.some((row) => row.id === id));
      }
    }),
  );
});
