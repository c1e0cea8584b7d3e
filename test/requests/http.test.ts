import { connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { createApiClient, wrongPathsIn, type ApiAnswer } from '../support/api-client.ts';
import { startTestApi, suiteApi } from '../support/servers/api-server.ts';
import { bookingBody, inHours } from '../support/clinic.ts';
import { until } from '../support/until.ts';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const api = await suiteApi();
const anonymous = createApiClient(api.url, null);

/** Sends bytes as they are and reads until the server hangs up. */
async function sendRaw(bytes: string): Promise<string> {
  const { hostname, port } = new URL(api.url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.end(bytes);
  return readText(socket);
}

describe('every answer carries its own request id', () => {
  test.each([
    ['GET', '/health', 200],
    ['GET', '/v1/tenants/me', 200],
    ['GET', '/nowhere', 404],
    ['POST', '/v1/tenants/me', 405],
    ['GET', '/v1/appointments/x', 422],
  ])('%s %s', async (method, path, status) => {
    const answers = [await api.client.send(method, path), await api.client.send(method, path)];
    const ids = answers.map(({ headers }) => headers.get('x-request-id') ?? '');
    expect(answers.map((answer) => answer.status)).toEqual([status, status]);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(UUID_V7);
    if (status >= 400) expect(answers[0]?.body['requestId']).toBe(ids[0]);
  });
});

describe('addresses', () => {
  test.each([
    '/v1',
    '/v1/',
    '/v1/appointments/',
    '/V1/appointments',
    '/health/',
    '/v1/appointments/x/y',
    '//',
    '/%',
  ])('%s is nowhere', async (path) => {
    const answer = await anonymous.get(path);
    expect([answer.status, answer.body['error']]).toEqual([404, 'not_found']);
  });

  test('a known address with another method says which it takes', async () => {
    const answer = await anonymous.send('PUT', '/v1/appointments');
    expect([answer.status, answer.body['error']]).toEqual([405, 'method_not_allowed']);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
  });

  test('HEAD answers as GET does, without the body', async () => {
    const response = await fetch(`${api.url}/health`, { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(response.headers.get('x-request-id')).toMatch(UUID_V7);
  });

  test.each(['GET * HTTP/1.1', 'GET http://elsewhere.example/health HTTP/1.1', 'GET //health?x HTTP/1.1'])(
    '%s is never a fault of ours',
    async (line) => {
      const answer = await sendRaw(`${line}\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 (200|404) /);
    },
  );

  test('what is not HTTP gets the error body too', async () => {
    const answer = await sendRaw('hello\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/\r\nX-Request-Id: /);
    const body: unknown = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')));
    expect(body).toMatchObject({ error: 'malformed_request' });
  });
});

describe('a body', () => {
  const path = '/v1/tenants/me';
  const json = { 'content-type': 'application/json' };

  test.each([
    ['nothing', ''],
    ['broken JSON', '{"name": "Patient Zero'],
    ['a bare word', 'patient'],
    ['two values', '{} {}'],
    ['a byte order mark alone', '\ufeff'],
  ])('of %s is malformed, and not repeated', async (_kind, rawBody) => {
    const answer = await api.client.send('PATCH', path, { rawBody, headers: json });
    expect([answer.status, answer.body['error']]).toEqual([400, 'malformed_json']);
    expect(answer.text.toLowerCase()).not.toContain('patient');
  });

  test('that is not UTF-8 is malformed', async () => {
    const rawBody = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    const answer = await api.client.send('PATCH', path, { rawBody });
    expect([answer.status, answer.body['error']]).toEqual([400, 'malformed_json']);
  });

  test.each([
    'text/plain',
    'application/xml',
    'multipart/form-data; boundary=x',
    'application/json; charset=latin1',
    'application/jsonp',
  ])('sent as %s is not understood', async (type) => {
    const answer = await api.client.send('PATCH', path, { rawBody: '{}', headers: { 'content-type': type } });
    expect([answer.status, answer.body['error']]).toEqual([400, 'unsupported_media_type']);
  });

  test('that is compressed is not understood', async () => {
    const headers = { ...json, 'content-encoding': 'gzip' };
    const answer = await api.client.send('PATCH', path, { rawBody: '{}', headers });
    expect([answer.status, answer.body['error']]).toEqual([400, 'unsupported_media_type']);
  });

  test.each(['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])(
    'sent as %s is read',
    async (type) => {
      const answer = await api.client.send('PATCH', path, {
        rawBody: '{}',
        headers: { 'content-type': type },
      });
      expect(answer.status).toBe(200);
    },
  );

  test('of 256 KiB is read, of one byte more is too large', async () => {
    const filled = (size: number) => `{"config":${' '.repeat(size - 13)}{}}`.padEnd(size);
    const limit = 256 * 1024;
    expect((await api.client.send('PATCH', path, { rawBody: filled(limit) })).status).toBe(200);
    const answer = await api.client.send('PATCH', path, { rawBody: filled(limit + 1) });
    expect([answer.status, answer.body['error']]).toEqual([413, 'payload_too_large']);
  });

  test('without a declared length is counted as it comes', async () => {
    const chunk = new TextEncoder().encode('x'.repeat(64 * 1024));
    let chunks = 40;
    const rawBody = new ReadableStream({
      pull: (controller) => (chunks-- > 0 ? controller.enqueue(chunk) : controller.close()),
    });
    const answer = await api.client.send('PATCH', path, { rawBody });
    expect([answer.status, answer.body['error']]).toEqual([413, 'payload_too_large']);
  });

  test('nested without end is refused', async () => {
    const rawBody = `{"config":{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;
    const answer = await api.client.send('PATCH', path, { rawBody });
    expect([answer.status, wrongPathsIn(answer)]).toEqual([422, ['body']]);
  });

  test.each(['1e999', '-1e999'])('with the number %s is refused', async (number) => {
    const rawBody = `{"config":{"limit":${number}}}`;
    const answer = await api.client.send('PATCH', path, { rawBody });
    expect([answer.status, wrongPathsIn(answer)]).toEqual([422, ['body.config.limit']]);
  });

  test('may be declared in any letters', async () => {
    const headers = { 'content-type': 'APPLICATION/JSON', 'content-encoding': 'Identity' };
    expect((await api.client.send('PATCH', path, { rawBody: '{}', headers })).status).toBe(200);
  });

  test('with a byte order mark is read', async () => {
    expect((await api.client.send('PATCH', path, { rawBody: '\ufeff{}' })).status).toBe(200);
  });

  test('with a key that would be lost is refused by its path, wherever it stands', async () => {
    const rawBody = '{"config":{"__proto__":{"a":1},"kept":[{"__proto__":1}]}}';
    const answer = await api.client.send('PATCH', path, { rawBody });
    expect([answer.status, wrongPathsIn(answer)]).toEqual([
      422,
      ['body.config.__proto__', 'body.config.kept.0.__proto__'],
    ]);
  });

  test('with other names of an object’s own parts is stored', async () => {
    const config = { constructor: { prototype: 1 }, toString: 2, hasOwnProperty: null };
    const answer = await api.client.patch(path, { config });
    expect(answer.body['config']).toMatchObject({ constructor: { prototype: 1 }, toString: 2 });
  });

  test('is measured in characters, not in halves of them', async () => {
    const config = { voice: '😀'.repeat(200) };
    expect((await api.client.patch(path, { config })).status).toBe(200);
    const answer = await api.client.patch(path, { config: { voice: '😀'.repeat(201) } });
    expect([answer.status, wrongPathsIn(answer)]).toEqual([422, ['body.config.voice']]);
  });

  test('with a negative zero changes nothing the second time', async () => {
    const rawBody = '{"config":{"level":-0,"tiny":-1e-400}}';
    const first = await api.client.send('PATCH', path, { rawBody });
    const second = await api.client.send('PATCH', path, { rawBody });
    expect([second.status, second.body['updatedAt']]).toEqual([200, first.body['updatedAt']]);
  });

  test('with a name that no one knows gets it back shortened', async () => {
    const answer = await api.client.patch(path, { ['x'.repeat(200_000)]: 1 });
    expect(answer.status).toBe(422);
    expect(answer.text.length).toBeLessThan(2000);
  });

  test('with keys that name an object’s own parts is refused by its path', async () => {
    const rawBody = '{"__proto__":{"name":"x"},"constructor":1}';
    const answer = await api.client.send('PATCH', path, { rawBody });
    expect([answer.status, wrongPathsIn(answer)]).toEqual([422, ['body.__proto__', 'body.constructor']]);
  });
});

describe('the log', () => {
  test('has one line for each request, without query, body or names', async () => {
    const key = await api.keyOf();
    const client = createApiClient(api.url, key);
    const answer = await client.get('/v1/appointments', { externalId: 'patient-in-query' });
    await client.get('/patient-in-path');
    await client.patch('/v1/tenants/me', { name: 'Name In Body', 'made-up': 1 });
    const requestId = answer.headers.get('x-request-id') ?? '';
    const lines = await until('the log line', () => {
      const found = api.log.filter((line) => line.includes(requestId));
      return found.length > 0 && found;
    });
    expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
      {
        event: 'request.completed',
        requestId,
        method: 'GET',
        route: '/v1/appointments',
        status: 200,
        tenantId: api.clinic.tenantId,
      },
    ]);
    const log = api.log.join('\n');
    for (const secret of ['patient-in', 'Name In Body', 'made-up', key]) expect(log).not.toContain(secret);
  });
});

describe('the log line of a request', () => {
  async function lineOf({ headers }: ApiAnswer): Promise<Record<string, unknown>> {
    const requestId = headers.get('x-request-id') ?? '';
    const line = await until('the log line', () => api.log.find((each) => each.includes(requestId)));
    return JSON.parse(line) as Record<string, unknown>;
  }

  test('names the code and the first failing field of a refusal, and the appointment', async () => {
    const id = uuidv7();
    const answer = await api.client.patch(`/v1/appointments/${id}`, { patientNotes: 1, status: 'gone' });
    expect(await lineOf(answer)).toMatchObject({
      error: 'validation_failed',
      failingPath: wrongPathsIn(answer)[0],
      appointmentId: id,
    });
    const unknown = await api.client.patch('/v1/tenants/me', { 'Maria Santos': 1 });
    expect(await lineOf(unknown)).toMatchObject({ error: 'validation_failed', failingPath: 'body.?' });
  });

  test('names the appointment that was booked', async () => {
    const booked = await api.client.post('/v1/appointments', bookingBody(api.clinic, inHours(30)));
    expect(await lineOf(booked)).toMatchObject({ status: 201, appointmentId: booked.body['id'] });
  });

  test('says that an address led nowhere', async () => {
    const line = await lineOf(await anonymous.get('/patient-in-path'));
    expect(line).toMatchObject({ status: 404, route: 'unmatched', error: 'not_found' });
  });
});

describe('health', () => {
  test('says that the service is up, whatever else a probe sends', async () => {
    const answer = await anonymous.get('/health', { cache: 'no' });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ status: 'ok', requestId: answer.headers.get('x-request-id') });
  });

  test('bookings do not wait for Temporal', async () => {
    const degraded = await startTestApi({ isTemporalUp: async () => false });
    try {
      const answer = await createApiClient(degraded.url, null).get('/health/ready');
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ status: 'degraded', parts: { database: 'up', temporal: 'down' } });
    } finally {
      await degraded[Symbol.asyncDispose]();
    }
  });
});
