import { describe, expect, test } from '@jest/globals';
import { contracts } from '../../api/resources.ts';
import { createApiClient } from '../support/api-client.ts';
import { goodRequestFor, pathTo } from '../support/good-requests.ts';
import { startTestApi, suiteApi } from '../support/servers/api-server.ts';

const UNKNOWN_ID = '00000000-0000-0000-0000-000000000000';
const HSTS = 'max-age=31536000';

const api = await suiteApi({ publicUrl: 'https://api.test' });
const clients = [api.client, createApiClient(api.url, null)];

function common(headers: Headers) {
  return [headers.get('x-content-type-options'), headers.get('strict-transport-security')];
}

describe.each(Object.entries(contracts))('%s', (_id, contract) => {
  test('answers and refuses with the headers that every answer has', async () => {
    const path = pathTo(contract, UNKNOWN_ID);
    for (const client of clients) {
      const { headers } = await client.send(contract.method, path, goodRequestFor(contract, api.clinic));
      expect(common(headers)).toEqual(['nosniff', HSTS]);
      if (/^\/(?:v1|mcp)/.test(path)) expect(headers.get('cache-control')).toBe('no-store');
    }
  });
});

test.each(['/v1', '/v1/nothing', '/mcp/nothing', '/nothing', '/docs/nothing'])(
  '%s, where nothing is, has them too',
  async (path) => {
    const { headers, status } = await fetch(api.url + path);
    expect([status, ...common(headers)]).toEqual([404, 'nosniff', HSTS]);
    if (/^\/(?:v1|mcp)/.test(path)) expect(headers.get('cache-control')).toBe('no-store');
  },
);

test('a browser that reaches the API without https is not told to use it', async () => {
  const plain = await startTestApi();
  const { headers } = await fetch(`${plain.url}/health`);
  expect(common(headers)).toEqual(['nosniff', null]);
  await plain[Symbol.asyncDispose]();
});
