import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { aStartedCall } from '../calls/call-builders.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { appointmentIn, wrongPathsIn } from '../support/api-client.ts';
import { book } from '../support/clinic.ts';

const api = await suiteApi({ deadlines: { jsonMs: 300, recording: { deadlineMs: 300 } } });

describe('a body where none is taken', () => {
  const id = uuidv7();
  const routes = [
    ['DELETE', `/v1/appointments/${id}`, 404],
    ['POST', `/v1/webhook-endpoints/${id}/enable`, 404],
    ['POST', `/v1/webhook-deliveries/${id}/resend`, 404],
  ] as [string, string, number][];

  test.each(routes)('%s %s refuses it', async (method, path, _status) => {
    for (const rawBody of ['{"reason":"auto"}', '[]', 'null', 'hello', '{', ' '.repeat(100_000)]) {
      const answer = await api.client.send(method, path, { rawBody });
      expect([answer.status, wrongPathsIn(answer)]).toEqual([422, ['body']]);
    }
  });

  test.each(routes)('%s %s takes nothing and {} for none', async (method, path, status) => {
    for (const rawBody of ['', ' \n', '{}', ' { } ']) {
      expect((await api.client.send(method, path, { rawBody })).status).toBe(status);
    }
  });

  test('is refused together with what else is wrong', async () => {
    const answer = await api.client.send('DELETE', '/v1/appointments/x?y=1', { body: { reason: 'auto' } });
    expect(wrongPathsIn(answer)).toEqual(['path.id', 'query.y', 'body']);
  });

  test('cancels nothing', async () => {
    const booked = await book(api.database, api.clinic);
    const path = `/v1/appointments/${booked.id}`;
    expect((await api.client.send('DELETE', path, { body: { reason: 'auto' } })).status).toBe(422);
    expect(appointmentIn(await api.client.get(path)).status).toBe('confirmed');
  });
});

test('a tag that a proxy has weakened is the tag', async () => {
  const { id, version } = await book(api.database, api.clinic, {
    startsAt: new Date('2030-05-06T09:00:00Z'),
  });
  const path = `/v1/appointments/${id}`;
  const patch = (tag: string, patientNotes: string, key: string) =>
    api.client.patch(path, { patientNotes }, { 'if-match': tag, 'idempotency-key': key });
  expect((await patch(`W/"${version + 1}"`, 'a', 'first')).status).toBe(412);
  expect((await patch(`W/"${version}"`, 'b', 'second')).status).toBe(200);
  const repeated = await patch(`"${version}"`, 'b', 'second');
  expect([repeated.status, repeated.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
});

describe('a body without end', () => {
  function send(head: string, contentType = 'application/json') {
    const { hostname, port } = new URL(api.url);
    const socket = connect({ host: hostname, port: Number(port) });
    // What is sent to a connection that has ended is lost, as it should be.
    socket.on('error', () => undefined);
    socket.write(`${head}Host: x\r\nContent-Type: ${contentType}\r\nContent-Length: 99999\r\n\r\n`);
    return socket;
  }

  test.each([
    ['JSON', () => 'PATCH /v1/tenants/me', 'application/json', 400, 'did not arrive within 0.3 seconds'],
    [
      'a recording',
      async () => `PUT /v1/calls/${await aStartedCall(api.client)}/recording`,
      'audio/wav',
      408,
      'all of it within 0.3 seconds',
    ],
  ])('that trickles in is given up: %s', async (_kind, line, contentType, status, said) => {
    const head = `${await line()} HTTP/1.1\r\nAuthorization: Bearer ${await api.keyOf()}\r\n`;
    const socket = send(head, contentType);
    const trickle = setInterval(() => socket.write(' '), 50);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer.toString()).toContain(said);
    await once(socket, 'close');
    clearInterval(trickle);
  });

  test('that follows a refusal is not read for ever', async () => {
    const socket = send('PATCH /v1/tenants/me HTTP/1.1\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 401 /);
    const more = setInterval(() => socket.write('x'), 50);
    await once(socket, 'close');
    clearInterval(more);
  });
});
