import { expect, test } from '@jest/globals';
import { suiteApi } from '../support/servers/api-server.ts';

const api = await suiteApi();
const key = await api.keyOf();

/** A message as its bytes, at an address. */
async function send(body: string, path = '/mcp', headers: Record<string, string> = {}) {
  const response = await fetch(`${api.url}${path}`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const call = { jsonrpc: '2.0', id: 'call', method: 'tools/call' };

test.each<[string, string, number, number, string | number | null]>([
  ['no JSON', '{"jsonrpc":', 400, -32700, null],
  ['nothing', '', 400, -32700, null],
  ['no UTF-8', '\ud800{', 400, -32700, null],
  ['a text', '"tools/list"', 400, -32600, null],
  ['null', 'null', 400, -32600, null],
  ['an empty list', '[]', 400, -32600, null],
  ['a list of messages', JSON.stringify([list, list]), 400, -32600, null],
  ['no version', JSON.stringify({ ...list, jsonrpc: undefined }), 400, -32600, 1],
  ['another version', JSON.stringify({ ...list, jsonrpc: '1.0' }), 400, -32600, 1],
  ['no method', JSON.stringify({ ...list, method: undefined }), 400, -32600, 1],
  ['a method that is a number', JSON.stringify({ ...list, method: 7 }), 400, -32600, 1],
  ['null as its id', JSON.stringify({ ...list, id: null }), 400, -32600, null],
  ['a broken number as its id', JSON.stringify({ ...list, id: 1.5 }), 400, -32600, null],
  ['an object as its id', JSON.stringify({ ...list, id: {} }), 400, -32600, null],
  ['params that are a list', JSON.stringify({ ...list, params: [] }), 400, -32602, 1],
  ['params that are a text', JSON.stringify({ ...call, params: 'find' }), 400, -32602, 'call'],
  ['an unknown method', JSON.stringify({ ...list, method: 'tools/burn' }), 200, -32601, 1],
  ['an unknown tool', JSON.stringify({ ...call, params: { name: 'burn' } }), 200, -32602, 'call'],
  ['a call without a tool', JSON.stringify({ ...call, params: {} }), 400, -32602, 'call'],
  ['a call without params', JSON.stringify(call), 400, -32602, 'call'],
  [
    'arguments that are a list',
    JSON.stringify({ ...call, params: { name: 'find', arguments: [1] } }),
    400,
    -32602,
    'call',
  ],
  [
    'arguments that are a word',
    JSON.stringify({ ...call, params: { name: 'find', arguments: 'x' } }),
    400,
    -32602,
    'call',
  ],
  [
    'an unstorable text',
    JSON.stringify({ ...call, params: { name: 'find', arguments: { id: '\0' } } }),
    400,
    -32602,
    'call',
  ],
])('%s gets a JSON-RPC error', async (_what, body, status, code, id) => {
  const answer = await send(body);
  expect(answer).toMatchObject({
    status,
    body: { jsonrpc: '2.0', error: { code, message: expect.any(String) } },
  });
  expect(answer.body['id'] ?? null).toBe(id);
});

test('a wrong header, media type or size gets a JSON-RPC error', async () => {
  const message = JSON.stringify(list);
  const wrong = [
    [400, await send(message, '/mcp', { 'idempotency-key': 'two words' })],
    [400, await send(message, '/mcp', { 'content-type': 'text/plain' })],
    [413, await send(JSON.stringify({ ...list, params: { more: 'x'.repeat(256 * 1024) } }))],
    [400, await send(message, '/mcp?debug=1')],
  ] as const;
  for (const [status, answer] of wrong)
    expect(answer).toMatchObject({
      status,
      body: {
        jsonrpc: '2.0',
        error: { code: -32600, data: { error: expect.any(String), requestId: expect.any(String) } },
      },
    });
});

test('params of null, members that clients add, and a slash at the end are accepted', async () => {
  const message = { ...list, params: null, sessionId: 's', toolCallId: null };
  for (const path of ['/mcp', '/mcp/'])
    expect(await send(JSON.stringify(message), path)).toMatchObject({
      status: 200,
      body: { id: 1, result: { tools: expect.any(Array) } },
    });
});

test('a refused message is logged and listed by the code of the API', async () => {
  await send('{');
  expect(
    api.log.some((line) => line.includes('"route":"/mcp"') && line.includes('"error":"malformed_json"')),
  ).toBe(true);
});
