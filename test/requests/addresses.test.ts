import { METHODS, request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import type { Contract } from '../../api/contract/define-contracts.ts';
import { contracts } from '../../api/resources.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { book } from '../support/clinic.ts';

const api = await suiteApi();
const key = await api.keyOf();

const ID = '00000000-0000-0000-0000-000000000000';
const byPath = Map.groupBy(Object.values<Contract>(contracts), ({ path }) => path);
/** CONNECT asks a proxy for a tunnel; Node hangs up on it. */
const everyMethod = METHODS.filter((method) => method !== 'CONNECT');

interface Answer {
  status: number;
  allow: string | undefined;
  text: string;
}

/** `fetch` refuses some methods and tidies paths up; this sends what it is told. */
async function send(method: string, path: string): Promise<Answer> {
  const { hostname, port } = new URL(api.url);
  const sent = request({ hostname, port, method, path, headers: { authorization: `Bearer ${key}` } });
  const answered = Promise.withResolvers<Answer>();
  sent.on('error', answered.reject);
  sent.on('response', (response) => {
    const { statusCode: status = 0, headers } = response;
    void readText(response).then((text) => answered.resolve({ status, allow: headers.allow, text }));
  });
  sent.end();
  return answered.promise;
}

function allowedAt(path: string): string[] {
  const methods = (byPath.get(path as Contract['path']) ?? []).map(({ method }) => method as string);
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].sort();
}

describe.each([...byPath.keys()])('%s', (path) => {
  const allowed = allowedAt(path);
  const address = path.replace('{id}', ID);

  test.each(everyMethod.filter((method) => !allowed.includes(method)))('does not take %s', async (method) => {
    const { status, allow, text } = await send(method, address);
    expect([status, allow]).toEqual([405, allowed.join(', ')]);
    expect(text).toMatch(method === 'HEAD' ? /^$/ : /^\{"error":"method_not_allowed"/);
  });

  test('HEAD is answered as GET is, without a body', async () => {
    const [head, get] = [await send('HEAD', address), await send('GET', address)];
    expect([head.status, head.text]).toEqual([get.status, '']);
  });
});

describe('a path is taken as it is written', () => {
  test.each([
    '/v1/appointments/../appointments',
    '/v1/./appointments',
    '/v1//appointments',
    '/v1/%61ppointments',
    '/v1/appointments%2Fsearch',
    '/v1\\appointments',
    '/v1/appointments;x=1',
    `/v1/calls/${ID}/recording/`,
    '/docs/../v1/tenants/me',
    '/docs/%2e%2e/app.ts',
    '/docs/..%2f..%2fpackage.json',
    '/docs/%00',
    '/docs/%',
    '/%',
    '/v1/%c3%28',
  ])('%s is nowhere', async (path) => {
    expect((await send('GET', path)).status).toBe(404);
  });

  test.each([
    '%',
    '%zz',
    '%c3%28',
    '%00',
    '..',
    '%2e%2e',
    'x%2Fy',
    '%2F',
    '%5C',
    `${ID}%20`,
    'x'.repeat(8000),
  ])('the id %s is malformed', async (id) => {
    expect((await send('GET', `/v1/appointments/${id}`)).status).toBe(422);
  });

  test('an id in upper case is the same id', async () => {
    const [professionalId = ''] = api.clinic.professionalIds;
    const { id } = await book(api.database, api.clinic);
    const { status, text } = await send(
      'GET',
      `/v1/appointments?professionalId=${professionalId.toUpperCase()}`,
    );
    expect([status, text.includes(id)]).toEqual([200, true]);
    expect((await send('GET', `/v1/appointments/${id.toUpperCase()}`)).status).toBe(200);
  });
});
