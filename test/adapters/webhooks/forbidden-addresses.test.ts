import { afterAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { createAddressGuard } from '../../../adapters/webhooks/address-guard.ts';
import { createWebhookClient } from '../../../adapters/webhooks/webhook-client.ts';
import { createWebhookUrlCheck } from '../../../adapters/webhooks/webhook-url.ts';

/** Whatever a URL’s host looks like, it must be known as an address: taken for a name it would resolve to a public one. */
const FORBIDDEN_HOSTS = [
  ['loopback', '127.0.0.1'],
  ['loopback, last', '127.255.255.254'],
  ['decimal', '2130706433'],
  ['decimal of cloud metadata', '2852039166'],
  ['octal', '0177.0.0.1'],
  ['octal, one number', '017700000001'],
  ['octal with many zeros', '0000000177.0.0.1'],
  ['hex', '0x7f.0.0.1'],
  ['hex, one number', '0x7f000001'],
  ['hex in capitals', '0X7F.0X0.0X0.0X1'],
  ['mixed bases', '0x7f.0.0.01'],
  ['two parts', '127.1'],
  ['three parts', '127.0.1'],
  ['two parts in hex', '0x7f.1'],
  ['zero', '0'],
  ['all zeros', '0.0.0.0'],
  ['zero in hex', '0x0'],
  ['with the root’s dot', '127.0.0.1.'],
  ['short, with the root’s dot', '127.1.'],
  ['full-width digits', '１２７.０.０.１'],
  ['circled digits', '①②⑦.⓪.⓪.①'],
  ['ideographic full stops', '127。0。0。1'],
  ['percent-encoded', '%31%32%37.0.0.1'],
  ['soft hyphens inside', '12\u00AD7.0.0.1'],
  ['private 10', '10.0.0.1'],
  ['private 172', '172.16.0.1'],
  ['private 192', '192.168.1.1'],
  ['private in hex', '0xc0a80101'],
  ['shared carrier space', '100.64.0.1'],
  ['cloud metadata', '169.254.169.254'],
  ['cloud metadata in octal', '0251.0376.0251.0376'],
  ['cloud metadata, two parts', '169.16689662'],
  ['broadcast', '255.255.255.255'],
  ['multicast', '224.0.0.1'],
  ['IPv6 loopback', '[::1]'],
  ['IPv6 loopback in full', '[0000:0000:0000:0000:0000:0000:0000:0001]'],
  ['IPv6 unspecified', '[::]'],
  ['IPv4-mapped', '[::ffff:127.0.0.1]'],
  ['IPv4-mapped in hex', '[::ffff:7f00:1]'],
  ['IPv4-mapped cloud metadata', '[::ffff:169.254.169.254]'],
  ['IPv4-compatible', '[::127.0.0.1]'],
  ['IPv4-translated', '[::ffff:0:7f00:1]'],
  ['NAT64', '[64:ff9b::7f00:1]'],
  ['NAT64 of cloud metadata', '[64:ff9b::a9fe:a9fe]'],
  ['local NAT64', '[64:ff9b:1::a00:1]'],
  ['6to4', '[2002:7f00:1::]'],
  ['6to4 of a private address', '[2002:c0a8:101::1]'],
  ['Teredo', '[2001:0:7f00:1::1]'],
  ['unique local', '[fd00::1]'],
  ['cloud metadata over IPv6', '[fd00:ec2::254]'],
  ['link-local', '[fe80::1]'],
  ['link-local with a zone', '[fe80::1%25eth0]'],
  ['loopback with a zone', '[::1%25lo]'],
  ['site-local', '[fec0::1]'],
  ['IPv6 multicast', '[ff02::1]'],
  ['IPvFuture', '[v1.127]'],
  ['a public address', '93.184.215.14'],
  ['a public IPv6 address', '[2606:4700:4700::1111]'],
] as const;

/** What a resolver may answer. Nothing of it may be connected to. */
const FORBIDDEN_ANSWERS = [
  '0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.100.100.200', '100.127.255.255', '127.0.0.1',
  '127.0.0.53', '168.63.129.16', '169.254.0.1', '169.254.169.254', '169.254.170.2', '172.16.0.1', '172.31.255.255',
  '192.0.0.1', '192.0.0.192', '192.0.2.1', '192.31.196.1', '192.52.193.1', '192.88.99.1', '192.168.0.1', '192.175.48.1',
  '198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1',
  '255.255.255.255', '::', '::1', '::7f00:1', '::127.0.0.1', '::ffff:10.0.0.1', '::ffff:93.184.215.14', '::ffff:0:a00:1',
  '64:ff9b::a00:1', '64:ff9b:1::1', '100::1', '2001::1', '2001:2::1', '2001:10::1', '2001:20::1', '2001:1ff::1',
  '2001:db8::1', '2002:a00:1::', '2620:4f:8000::1', '3ffe::1', '3fff::1', '4000::1', '5f00::1', '8000::1', 'fc00::1',
  'fd00:ec2::254', 'fe80::1', 'fe80::1%eth0', '2606:4700::1%eth0', 'febf::1', 'fec0::1', 'ff02::1', '', 'localhost',
]; // prettier-ignore

const PUBLIC_ANSWERS = [
  '1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0', '168.63.129.17',
  '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.0.1.0', '192.167.255.255', '192.169.0.0',
  '198.17.255.255', '198.20.0.0', '223.255.255.255', '2001:200::1', '2001:4860:4860::8888', '2003::1', '2606:4700:4700::1111',
  '2a00::1', '3ffd::1',
]; // prettier-ignore

const publicResolver = () => Promise.resolve(['93.184.215.14']);
const client = createWebhookClient({ allowedCidrs: [], resolve: publicResolver });
afterAll(() => client.close());

describe('a host that is an address in disguise', () => {
  test.each(FORBIDDEN_HOSTS)('is refused when saved: %s', async (_kind, host) => {
    const check = createWebhookUrlCheck({ allowedCidrs: [], resolve: publicResolver });
    expect(await check(`https://${host}/hook`)).toMatchObject({ ok: false, message: expect.any(String) });
  });

  test.each(FORBIDDEN_HOSTS)('is refused when sent: %s', async (_kind, host) => {
    const outcome = await client.post({ url: `https://${host}/hook`, headers: {}, body: '{}' });
    expect(outcome).toMatchObject({ outcome: 'failed', errorClass: 'blocked_address', responseStatus: null });
  });
});

describe('a name', () => {
  test.each(FORBIDDEN_ANSWERS)('that resolves to %s is refused when saved and when sent', async (answer) => {
    const resolve = () => Promise.resolve(['93.184.215.14', answer]);
    const check = createWebhookUrlCheck({ allowedCidrs: [], resolve });
    const sender = createWebhookClient({ allowedCidrs: [], resolve });
    expect(await check('https://receiver.example/hook')).toMatchObject({
      ok: false,
      message:
        'The host name must resolve to public internet addresses only. Check its spelling and its DNS records.',
    });
    const outcome = await sender.post({ url: 'https://receiver.example/hook', headers: {}, body: '{}' });
    expect(outcome.errorClass).toBe('blocked_address');
    await sender.close();
  });

  test.each(['localhost', 'LOCALHOST', 'localhost.', 'receiver.localhost', 'ｌｏｃａｌｈｏｓｔ'])(
    'of this machine is refused by the real resolver: %s',
    async (host) => {
      const check = createWebhookUrlCheck({ allowedCidrs: [] });
      expect((await check(`https://${host}/hook`)).ok).toBe(false);
    },
  );

  test.each(PUBLIC_ANSWERS)('that resolves to %s is accepted', async (answer) => {
    const check = createWebhookUrlCheck({ allowedCidrs: [], resolve: () => Promise.resolve([answer]) });
    expect((await check('https://receiver.example/hook')).ok).toBe(true);
  });
});

describe('the guard', () => {
  test('lets through the operator’s ranges and nothing beside them', () => {
    const guard = createAddressGuard(['127.0.0.0/8', '::1/128', '10.1.0.0/16']);
    for (const address of ['127.0.0.1', '127.9.9.9', '::1', '10.1.255.255']) {
      expect(guard.refusalOf(address)).toBeNull();
    }
    for (const address of ['10.2.0.1', '::2', '::ffff:127.0.0.1', '169.254.169.254', '::1%lo']) {
      expect(guard.refusalOf(address)).toEqual(expect.any(String));
    }
  });

  test('refuses every IPv4 address in every IPv6 disguise', () => {
    const guard = createAddressGuard(['0.0.0.0/0']);
    const disguises = ['::ffff:', '::', '::ffff:0:', '64:ff9b::', '2002:'];
    fc.assert(
      fc.property(fc.ipV4(), fc.constantFrom(...disguises), (ipv4, disguise) => {
        const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number);
        const hex = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
        const address = disguise === '2002:' ? `2002:${hex}::1` : `${disguise}${hex}`;
        expect(guard.refusalOf(ipv4)).toBeNull();
        expect(guard.refusalOf(address)).toEqual(expect.any(String));
      }),
    );
  });

  test.each([
    '127.0.0.1',
    '127.0.0.0/33',
    '127.1/8',
    '0177.0.0.0/8',
    'fd00::/129',
    '::1%lo/128',
    'anything',
    '',
  ])('does not start with a range it cannot read: %s', (cidr) =>
    expect(() => createAddressGuard([cidr])).toThrow('Not an address range'),
  );
});
