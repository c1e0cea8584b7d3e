import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createAttemptsInFlight } from '../../activities/attempts-in-flight.ts';

const LIMITS = { perEndpoint: 3, perClinic: 5 };

test('an endpoint has its share at once and no more, and gets a place back with each end', () => {
  const inFlight = createAttemptsInFlight(LIMITS);
  const of = { clinicId: 'clinic', endpointId: 'one' };
  const ends = [inFlight.begin(of), inFlight.begin(of), inFlight.begin(of)];
  expect(ends).not.toContain(null);
  expect(inFlight.begin(of)).toBeNull();
  ends[1]?.();
  expect(inFlight.begin(of)).not.toBeNull();
  expect(inFlight.begin(of)).toBeNull();
});

test('the endpoints of a clinic share the clinic’s places; other clinics do not notice', () => {
  const inFlight = createAttemptsInFlight(LIMITS);
  const begin = (clinicId: string, endpointId: string) => inFlight.begin({ clinicId, endpointId }) !== null;
  expect([1, 2, 3].map(() => begin('busy', 'one'))).toEqual([true, true, true]);
  expect([1, 2, 3].map(() => begin('busy', 'two'))).toEqual([true, true, false]);
  expect(begin('other', 'three')).toBe(true);
});

const ENDPOINTS = fc.constantFrom('a1', 'a2', 'a3', 'b1', 'c1');

test('whatever begins and ends, an attempt is refused exactly when its endpoint or clinic has its share', () => {
  const steps = fc.array(fc.oneof(fc.record({ begins: ENDPOINTS }), fc.record({ ends: fc.nat(20) })), {
    maxLength: 80,
  });
  fc.assert(
    fc.property(steps, (story) => {
      const inFlight = createAttemptsInFlight(LIMITS);
      const open: { endpointId: string; clinicId: string; end: () => void }[] = [];
      for (const step of story) {
        if ('ends' in step) {
          open.splice(step.ends, 1)[0]?.end();
          continue;
        }
        const of = { endpointId: step.begins, clinicId: step.begins.charAt(0) };
        const ofEndpoint = open.filter(({ endpointId }) => endpointId === of.endpointId).length;
        const ofClinic = open.filter(({ clinicId }) => clinicId === of.clinicId).length;
        const end = inFlight.begin(of);
        expect(end === null).toBe(ofEndpoint >= LIMITS.perEndpoint || ofClinic >= LIMITS.perClinic);
        if (end) open.push({ ...of, end });
      }
    }),
  );
});
