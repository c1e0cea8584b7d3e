import { expect, test } from '@jest/globals';
import type { ClaimedDelivery } from '../../db/outbox/claim-deliveries.ts';
import { endpointsLeft } from '../../worker/outbox/left-rows.ts';

function row(endpointId: string, tenantId: string, host: string): ClaimedDelivery {
  return { outboxId: '1', delivery: { endpointId, tenantId, host } } as ClaimedDelivery;
}

const LIMIT = 4;
const TWO_OF_A = [row('a', 'clinic', 'host'), row('a', 'clinic', 'host')];
const THREE = [...TWO_OF_A, row('b', 'clinic', 'host')];
const DELETED: ClaimedDelivery = { outboxId: '2', claimedBy: '', failures: 0, delivery: null };

const enough = { ids: [], free: [], unlisted: 9 };
const room = (id: string, free: number) => ({ ids: [id], free: [free], unlisted: 9 });
const ofProven = (proven: object) => ({
  proven: { endpointIds: ['b'], clinic: enough, host: enough, ...proven },
});
const free = { endpoint: enough, clinic: enough, host: enough };

test.each([
  ['there was room for more', THREE, free, []],
  ['there was nothing', [], free, []],
  ['an endpoint had no room', THREE, { ...free, endpoint: room('z', 0) }, ['z']],
  [
    'as many endpoints may have waited as rows were wanted, so that one row of each was taken',
    THREE,
    { ...free, endpoint: { ids: ['y', 'z'], free: [0, 0], unlisted: 9 } },
    null,
  ],
  ['an endpoint had room for one more', THREE, { ...free, endpoint: room('a', 3) }, []],
  ['an endpoint was given all of its room', THREE, { ...free, endpoint: room('a', 2) }, null],
  ['so was one that is not listed', THREE, { ...free, endpoint: { ids: [], free: [], unlisted: 2 } }, null],
  ['so was a clinic', THREE, { ...free, clinic: room('clinic', 3) }, null],
  ['so was a host', THREE, { ...free, host: room('host', 3) }, null],
  ['a clinic had no room', THREE, { ...free, clinic: room('other', 0) }, null],
  ['a host had no room', THREE, { ...free, host: room('other', 0) }, null],
  [
    'an endpoint that has proven itself was given all of its clinic’s',
    THREE,
    { ...free, ...ofProven({ clinic: room('clinic', 1) }) },
    null,
  ],
  ['so was one at its host', THREE, { ...free, ...ofProven({ host: room('host', 1) }) }, null],
  ['its clinic had no room for such', THREE, { ...free, ...ofProven({ clinic: room('other', 0) }) }, null],
  [
    'a clinic had room for one more that is not proven',
    THREE,
    { ...free, ...ofProven({}), clinic: room('clinic', 3) },
    [],
  ],
  ['as many were claimed as were wanted', [...TWO_OF_A, ...TWO_OF_A], free, null],
  ['a delivery is gone, and with it the name of its endpoint', [...TWO_OF_A, DELETED], free, null],
])('what a claim may have left when %s', (_, claimed, shares, left) => {
  expect(endpointsLeft(claimed, LIMIT, shares)).toEqual(left);
});
