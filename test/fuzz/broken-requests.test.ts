import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { startTestDashboard } from '../support/pages/dashboard-server.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { closed, requestsToApi, requestsToDashboard, sendBrokenRequests } from './broken-requests.ts';

const api = await suiteApi({ limits: { areDisabled: true, trustedHops: 0 } });

test('five hundred broken requests are refused or served, and none is a fault of the API', async () => {
  const statuses = await sendBrokenRequests(api.url, await requestsToApi(api), { seed: 1, count: 500 });
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 401]));
  expect((await api.client.get('/v1/services')).status).toBe(200);
});

test('four hundred broken requests to the dashboard, too', async () => {
  const dashboard = await startTestDashboard();
  const statuses = await sendBrokenRequests(dashboard.url, requestsToDashboard(), { seed: 1, count: 400 });
  const stranger = await fetch(`${dashboard.url}/health/ready`);
  await dashboard[Symbol.asyncDispose]();
  expect([stranger.status, statuses.has(400), statuses.has(404)]).toEqual([200, true, true]);
});

test('a connection over which come requests that no one can read is hung up on at the first', async () => {
  const { hostname, port } = new URL(api.url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => socket.destroy());
  const ended = closed(socket);
  let answer = '';
  socket.on('data', (piece: Buffer) => (answer += piece.toString()));
  const garbage = 'GET / HTTP/9.9\r\n\r\n'.repeat(10_000);
  socket.write(garbage);
  await ended;
  // A sender who does not stop may lose the answer to the end of the connection.
  expect(['', 'HTTP/1.1 400 ']).toContain((answer.match(/HTTP\/1\.1 \d{3} /g) ?? []).join(''));
});

test('requests that come one after the other without waiting are answered in turn, and their sender waits meanwhile', async () => {
  const { hostname, port } = new URL(api.url);
  const socket = connect({ host: hostname, port: Number(port) });
  const MANY = 2000;
  socket.end('GET /health HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(MANY));
  let answer = '';
  for await (const piece of socket) answer += String(piece);
  expect(answer.match(/HTTP\/1\.1 200 /g)?.length).toBe(MANY);
});
