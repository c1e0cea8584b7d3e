import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { requestFingerprint } from '../../../api/middleware/idempotency/idempotent-request.ts';

const request = {
  method: 'POST',
  path: '/v1/appointments',
  body: { a: 1, b: { c: [1, 2], d: null } },
  ifMatch: undefined,
};

test('the order of keys does not matter, at any depth', () => {
  const reordered = { b: { d: null, c: [1, 2] }, a: 1 };
  expect(requestFingerprint({ ...request, body: reordered })).toBe(requestFingerprint(request));
});

test.each([
  ['method', { method: 'PATCH' }],
  ['path', { path: '/v1/appointments/1' }],
  ['If-Match', { ifMatch: '"1"' }],
  ['body', { body: { ...request.body, a: '1' } }],
  ['order of a list', { body: { a: 1, b: { c: [2, 1], d: null } } }],
  ['presence of a key', { body: { a: 1, b: { c: [1, 2] } } }],
  ['place of a key', { body: { a: 1, b: {}, c: [1, 2], d: null } }],
  ['body at all', { body: undefined }],
])('another %s is another request', (_, change) => {
  expect(requestFingerprint({ ...request, ...change })).not.toBe(requestFingerprint(request));
});

test('two JSON bodies have one fingerprint exactly when they are equal', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const isEqual = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
      const isSame =
        requestFingerprint({ ...request, body: one }) === requestFingerprint({ ...request, body: other });
      expect(isSame).toBe(isEqual);
    }),
  );
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return ['list', ...value.map(sorted)];
  if (typeof value !== 'object' || value === null) return value;
  return [
    'object',
    ...Object.keys(value)
      .sort()
      .map((key) => [key, sorted((value as Record<string, unknown>)[key])]),
  ];
}
