import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { AttemptShares, type AttemptTarget, type EndAttempt } from '../../../sending/attempt-shares.ts';
import { ATTEMPT_SHARES, shareAfter, type AnswerPace } from '../../../domain/webhooks/attempt-share.ts';

const { endpoint: ENDPOINT, unproven: UNPROVEN, proven: PROVEN } = ATTEMPT_SHARES;

function target(endpointId: string, clinicId = `clinic of ${endpointId}`, host = `host of ${endpointId}`) {
  return { endpointId, clinicId, host };
}

/** Begins as many as may begin. */
function beginAll(shares: AttemptShares, of: AttemptTarget): EndAttempt[] {
  const ends: EndAttempt[] = [];
  for (let end = shares.begin(of); end; end = shares.begin(of)) ends.push(end);
  return ends;
}

test.each([
  [10, 'quick', 11],
  [10, 'slow', 10],
  [20, 'slow', 20],
  [1, 'slow', 2],
  [9, 'slow', 10],
  [10, 'failed', 5],
  [1, 'failed', 1],
  [ENDPOINT.most, 'quick', ENDPOINT.most],
] as const)('a share of %i is, after an answer that is %s, %i', (share, pace, wanted) => {
  expect(shareAfter(share, pace)).toBe(wanted);
});

test('an endpoint has its share at once and no more, and gets room back with each end', () => {
  const shares = new AttemptShares();
  const ends = beginAll(shares, target('one'));
  expect(ends).toHaveLength(ENDPOINT.start);
  ends[3]?.('slow');
  expect(beginAll(shares, target('one'))).toHaveLength(1);
});

test('a receiver that answers quickly gets more; one that fails gets one at a time', () => {
  const shares = new AttemptShares();
  for (const end of beginAll(shares, target('quick'))) end('quick');
  expect(beginAll(shares, target('quick'))).toHaveLength(2 * ENDPOINT.start);
  for (const end of beginAll(shares, target('broken'))) end('failed');
  expect(beginAll(shares, target('broken'))).toHaveLength(ENDPOINT.least);
});

test('an endpoint that hangs leaves its clinic and its host room for the healthy ones', () => {
  const shares = new AttemptShares();
  for (const end of beginAll(shares, target('hanging', 'clinic', 'host'))) end('failed');
  expect(beginAll(shares, target('hanging', 'clinic', 'host'))).toHaveLength(ENDPOINT.least);
  expect(beginAll(shares, target('healthy', 'clinic', 'host'))).toHaveLength(ENDPOINT.start);
});

test('a receiver that takes more than a second is back at its start after failures, as one that is quick', () => {
  const shares = new AttemptShares();
  for (const end of beginAll(shares, target('slow'))) end('failed');
  for (let round = 0; round < 4; round += 1) for (const end of beginAll(shares, target('slow'))) end('slow');
  expect(beginAll(shares, target('slow'))).toHaveLength(ENDPOINT.start);
});

/** Answers quickly until its share is as large as any. */
function prove(shares: AttemptShares, of: AttemptTarget): void {
  for (let answers = 0; answers < ENDPOINT.most; answers += 1) shares.begin(of)?.('quick');
}

test('one that had a large share and then hangs leaves the others theirs, from the first failure to the last', () => {
  const shares = new AttemptShares();
  const hanging = target('hanging', 'clinic', 'host');
  const others = [target('of the clinic', 'clinic', 'elsewhere'), target('at the host', 'another', 'host')];
  prove(shares, hanging);
  const ends = beginAll(shares, hanging);
  expect(ends).toHaveLength(ENDPOINT.most);
  const begunByOthers = () =>
    others.map((other) => {
      const begun = beginAll(shares, other);
      for (const end of begun) end(null);
      return begun.length;
    });
  for (const end of ends) {
    expect(begunByOthers()).toEqual([ENDPOINT.start, ENDPOINT.start]);
    end('failed');
  }
  expect(begunByOthers()).toEqual([ENDPOINT.start, ENDPOINT.start]);
  expect(beginAll(shares, hanging)).toHaveLength(ENDPOINT.least);
});

test('however many endpoints of a host hang, one that is quick there has the share it has earned', () => {
  const shares = new AttemptShares();
  const quick = target('quick', 'its clinic', 'host');
  prove(shares, quick);
  for (let nr = 0; nr < 100; nr += 1) {
    const hanging = target(`e${nr}`, `c${nr}`, 'host');
    for (const end of beginAll(shares, hanging)) end('failed');
    shares.begin(hanging);
  }
  expect(beginAll(shares, quick)).toHaveLength(ENDPOINT.most);
});

test('the endpoints of a clinic share the clinic’s attempts, those of thirty clinics at one host the host’s', () => {
  const shares = new AttemptShares();
  const ofClinic = [1, 2, 3].map((nr) => beginAll(shares, target(`e${nr}`, 'clinic')).length);
  expect(ofClinic.reduce((sum, count) => sum + count)).toBe(UNPROVEN);
  const ofHost = Array.from({ length: 30 }, (_, nr) =>
    beginAll(shares, target(`h${nr}`, `c${nr}`, 'shared')),
  );
  expect(ofHost.flat()).toHaveLength(UNPROVEN);
  expect(beginAll(shares, target('other'))).toHaveLength(ENDPOINT.start);
});

test('those that have proven themselves share what a clinic or a host may have under way', () => {
  const shares = new AttemptShares();
  const quick = Array.from({ length: 10 }, (_, nr) => target(`e${nr}`, `c${nr}`, 'host'));
  for (const each of quick) prove(shares, each);
  expect(quick.flatMap((each) => beginAll(shares, each))).toHaveLength(PROVEN);
  expect(beginAll(shares, target('new', 'new', 'host'))).toHaveLength(ENDPOINT.start);
});

test('twenty endpoints of a host that answers after 100 ms get two thousand attempts in their first second', () => {
  const shares = new AttemptShares();
  const endpoints = Array.from({ length: 20 }, (_, nr) => target(`e${nr}`, `c${nr}`, 'host'));
  let made = 0;
  for (let tenths = 0; tenths < 10; tenths += 1) {
    const ends = endpoints.flatMap((each) => beginAll(shares, each));
    for (const end of ends) end('quick');
    made += ends.length;
  }
  expect(made).toBeGreaterThan(2000);
});

test('an endpoint that has another URL now counts at its new host', () => {
  const shares = new AttemptShares();
  const [last] = beginAll(shares, target('moved', 'clinic', 'old'));
  last?.('slow');
  shares.begin(target('moved', 'clinic', 'new'));
  const begunAt = (host: string) =>
    [1, 2].flatMap((nr) => beginAll(shares, target(`${host} ${nr}`, `${host} ${nr}`, host)));
  expect(begunAt('old')).toHaveLength(UNPROVEN);
  expect(begunAt('new')).toHaveLength(UNPROVEN - ENDPOINT.start);
});

test('a claim may take what may begin now', () => {
  const shares = new AttemptShares();
  const ends = beginAll(shares, target('one', 'clinic', 'host')).slice(0, 4);
  for (const end of ends) end('failed');
  const { endpoint, clinic, host } = shares.claimable();
  // Each failure halves the share; six attempts are still under way.
  expect(endpoint).toEqual({ ids: ['one'], free: [0], unlisted: ENDPOINT.start });
  expect([clinic.ids, host.ids]).toEqual([['clinic'], ['host']]);
  expect([...clinic.free, ...host.free]).toEqual([UNPROVEN - ENDPOINT.least, UNPROVEN - ENDPOINT.least]);
});

test('whatever begins and ends, no share is exceeded and none is lost', () => {
  const endpoints = fc.constantFrom('a1', 'a2', 'a3', 'b1', 'c1');
  const paces = fc.constantFrom<AnswerPace>('quick', 'slow', 'failed');
  const steps = fc.array(
    fc.oneof(fc.record({ begins: endpoints }), fc.record({ ends: fc.nat(20), pace: paces })),
    { maxLength: 150 },
  );
  fc.assert(
    fc.property(steps, (story) => {
      const shares = new AttemptShares();
      const sizes = new Map<string, number>();
      const open: { endpointId: string; end: EndAttempt }[] = [];
      for (const step of story) {
        if ('ends' in step) {
          const [ended] = open.splice(step.ends, 1);
          if (!ended) continue;
          ended.end(step.pace);
          const size = sizes.get(ended.endpointId) ?? ENDPOINT.start;
          sizes.set(ended.endpointId, shareAfter(size, step.pace));
          continue;
        }
        const inFlight = open.filter(({ endpointId }) => endpointId === step.begins).length;
        const end = shares.begin(target(step.begins));
        expect(end === null).toBe(inFlight >= (sizes.get(step.begins) ?? ENDPOINT.start));
        if (end) open.push({ endpointId: step.begins, end });
      }
      for (const { end } of open) end(null);
    }),
  );
});
