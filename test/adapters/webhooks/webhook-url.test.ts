import { expect, test } from '@jest/globals';
import { createWebhookUrlCheck } from '../../../adapters/webhooks/webhook-url.ts';

const INSIDE = ['10.1.2.3', 'fd12:3456::7'];
const check = createWebhookUrlCheck({ allowedCidrs: [], resolve: () => Promise.resolve(['93.184.215.14']) });
const local = createWebhookUrlCheck({ allowedCidrs: ['127.0.0.0/8', '::1/128'] });

test.each([
  ['https://example.com/hook', 'https://example.com/hook'],
  ['https://example.com:8443/hook?clinic=1', 'https://example.com:8443/hook?clinic=1'],
  ['HTTPS://Example.COM', 'https://example.com/'],
  ['https://münchen.example/', 'https://xn--mnchen-3ya.example/'],
])('%s is accepted, in the form that is requested', async (text, url) => {
  expect(await check(text)).toEqual({ ok: true, url });
});

test.each([
  ['http://example.com/', 'must start with https://'],
  ['ftp://example.com/', 'must start with https://'],
  ['javascript:alert(1)', 'must start with https://'],
  ['file:///etc/passwd', 'must start with https://'],
  ['https://user:secret@example.com/', 'Remove the user name and password'],
  ['https://user@example.com/', 'Remove the user name and password'],
  ['https://:secret@example.com/', 'Remove the user name and password'],
  ['https://example.com/#part', 'Remove # and everything after it'],
  ['https://example.com/#', 'Remove # and everything after it'],
  ['example.com/hook', 'Enter the full URL'],
  ['https://', 'Enter the full URL'],
  ['', 'Enter the full URL'],
  ['https://exa mple.com/', 'Enter the full URL'],
  [`https://example.com/${'a'.repeat(2_048)}`, 'at most 2048 characters'],
  ['https://93.184.215.14/', 'Use a host name'],
])('%s is refused with what to change', async (text, message) => {
  expect(await check(text)).toMatchObject({ ok: false, message: expect.stringContaining(message) });
});

test('the refusal of a host name does not say whether the name exists inside', async () => {
  const unresolved = [
    () => Promise.reject(new Error('ENOTFOUND')),
    () => Promise.resolve([]),
    () => Promise.resolve(INSIDE),
    () => Promise.resolve(['93.184.215.14', ...INSIDE]),
  ];
  for (const resolve of unresolved) {
    expect(await createWebhookUrlCheck({ allowedCidrs: [], resolve })('https://example.com/')).toEqual({
      ok: false,
      reason: 'name',
      message:
        'The host name must resolve to public internet addresses only. Check its spelling and its DNS records.',
    });
  }
});

test('the operator’s ranges open names and addresses in them, and nothing else', async () => {
  for (const url of [
    'https://localhost:8443/hook',
    'https://127.0.0.1:8443/hook',
    'https://[::1]:8443/hook',
  ]) {
    expect(await local(url)).toEqual({ ok: true, url });
  }
  expect(await local('https://10.0.0.1/')).toMatchObject({ ok: false });
  expect(await local('https://93.184.215.14/')).toMatchObject({ ok: false });
  expect(await local('http://localhost:8443/hook')).toMatchObject({ ok: false });
});
