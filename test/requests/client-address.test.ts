import type { IncomingMessage } from 'node:http';
import { expect, test } from '@jest/globals';
import { clientAddress } from '../../adapters/connections/client-address.ts';

function from(remoteAddress: string | undefined, forwarded?: string): IncomingMessage {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return { headers, socket: { remoteAddress } } as unknown as IncomingMessage;
}

test.each([
  ['the socket, whatever the client claims', from('203.0.113.5', '198.51.100.1'), 0, '203.0.113.5'],
  ['an IPv4 address in its IPv6 form', from('::ffff:203.0.113.5'), 0, '203.0.113.5'],
  ['the /64 of an IPv6 address', from('2001:db8:1:2:3:4:5:6'), 0, '2001:db8:1:2::/64'],
  ['the /64 of a link-local address with a zone', from('fe80::1%eth0'), 0, 'fe80::/64'],
  ['what the one proxy says', from('10.0.0.1', '203.0.113.9'), 1, '203.0.113.9'],
  ['the last entry, not the forged ones', from('10.0.0.1', '1.1.1.1, 203.0.113.9'), 1, '203.0.113.9'],
  ['the second from the right', from('10.0.0.1', '1.1.1.1,203.0.113.9, 10.0.0.2'), 2, '203.0.113.9'],
  ['the furthest entry there is', from('10.0.0.1', '203.0.113.9'), 3, '203.0.113.9'],
  ['an entry with a port', from('10.0.0.1', '203.0.113.9:4711'), 1, '203.0.113.9'],
  ['an IPv6 entry in brackets', from('10.0.0.1', '[2001:db8::7]:4711'), 1, '2001:db8::/64'],
  ['the proxy itself when it says nothing', from('10.0.0.1'), 1, '10.0.0.1'],
  ['the proxy itself when it says nonsense', from('10.0.0.1', '203.0.113.9, unknown'), 1, '10.0.0.1'],
  ['the nearest readable entry', from('10.0.0.1', 'nonsense, 10.0.0.2'), 2, '10.0.0.2'],
  ['no shorthand of an address', from('10.0.0.1', '127.1'), 1, '10.0.0.1'],
  ['a name for a socket that is gone', from(undefined), 0, 'unknown'],
])('counts against %s', (_, request, trustedHops, expected) => {
  expect(clientAddress(request, trustedHops)).toBe(expected);
});
