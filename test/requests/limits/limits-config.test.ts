import { expect, test } from '@jest/globals';
import { limitsConfig } from '../../../adapters/config/limits-config.ts';
import { readConfig } from '../../../adapters/config/read-config.ts';

function read(environment: Record<string, string>) {
  return readConfig({ limits: limitsConfig }, environment).limits;
}

test('limits are on and no proxy is trusted by default', () => {
  expect(read({ SERVICE_MODE: 'live' })).toEqual({ areDisabled: false, trustedHops: 0 });
});

test('a sandbox may switch the limits off, a live deployment may not', () => {
  expect(read({ SERVICE_MODE: 'test', RATE_LIMITS_DISABLED: 'true' }).areDisabled).toBe(true);
  expect(() => read({ SERVICE_MODE: 'live', RATE_LIMITS_DISABLED: 'true' })).toThrow(
    'RATE_LIMITS_DISABLED: may be true only with SERVICE_MODE=test',
  );
  expect(read({ SERVICE_MODE: 'live', RATE_LIMITS_DISABLED: 'false' }).areDisabled).toBe(false);
});

test.each(['1.5', '-1', 'all', '10'])('TRUSTED_PROXY_HOPS=%s is refused', (hops) => {
  expect(() => read({ TRUSTED_PROXY_HOPS: hops })).toThrow(
    'TRUSTED_PROXY_HOPS: must be a number from 0 to 9',
  );
});
