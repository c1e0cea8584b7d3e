import { expect, test } from '@jest/globals';
import { isSameSecret, newApiKey, parseApiKey } from '../../domain/clinic/api-key.ts';

test('a key says its mode and public id, and only its hash is needed to know it again', () => {
  const { key, publicId, secretHash } = newApiKey('test');
  expect(key).toMatch(/^svc_test_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$/);
  expect(key.split('_')[2]).toBe(publicId);
  expect(parseApiKey(key)).toEqual({ mode: 'test', publicId, secretHash });
  expect(secretHash).toHaveLength(32);
  expect(isSameSecret(secretHash, newApiKey('test').secretHash)).toBe(false);
});

test('a mistyped character anywhere is noticed', () => {
  const { key } = newApiKey('live');
  for (let place = 0; place < key.length; place++) {
    const other = key[place] === 'q' ? 'z' : 'q';
    expect(parseApiKey(key.slice(0, place) + other + key.slice(place + 1))).toBeNull();
  }
});
