import { expect, test } from '@jest/globals';
import { request } from 'undici';
import { suiteApi } from '../support/servers/api-server.ts';
import { book, inHours } from '../support/clinic.ts';

const api = await suiteApi();
for (const hours of [24, 25, 26]) await book(api.database, api.clinic, { startsAt: inHours(hours) });

/** As it travels: nothing is unpacked. */
async function travels(path: string, headers: Record<string, string>) {
  const answer = await request(api.url + path, { headers });
  const bytes = Buffer.from(await answer.body.arrayBuffer()).length;
  return { status: answer.statusCode, headers: answer.headers, bytes };
}

test('a list travels compressed for those who take it so, and whole for others', async () => {
  const authorization = `Bearer ${await api.keyOf()}`;
  const packed = await travels('/v1/appointments', { authorization, 'accept-encoding': 'gzip' });
  const plain = await travels('/v1/appointments', { authorization });
  expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
  expect(plain.headers).not.toHaveProperty('content-encoding');
  expect(packed.bytes).toBeLessThan(plain.bytes / 2);
  const small = await travels('/health', { 'accept-encoding': 'gzip' });
  expect(small.headers).not.toHaveProperty('content-encoding');
});

test('the OpenAPI document travels compressed, may be kept, and is not sent to those who have it', async () => {
  const first = await travels('/openapi.json', { 'accept-encoding': 'gzip' });
  expect(first.headers).toMatchObject({
    'content-encoding': 'gzip',
    'cache-control': 'public, max-age=300',
    etag: expect.stringMatching(/^W\/"/),
  });
  const etag = String(first.headers.etag);
  const again = await travels('/openapi.json', { 'accept-encoding': 'gzip', 'if-none-match': etag });
  expect([again.status, again.bytes, again.headers.etag]).toEqual([304, 0, etag]);
  const other = await travels('/openapi.json', { 'if-none-match': 'W/"another"' });
  expect(other.status).toBe(200);
});
