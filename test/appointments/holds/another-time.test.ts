import { expect, test } from '@jest/globals';
import { aStartedCall } from '../../calls/call-builders.ts';
import { bookingBody, inHours } from '../../support/clinic.ts';
import { suiteApi } from '../../support/servers/api-server.ts';

const api = await suiteApi();

function hold(callId: string, startsAt: Date) {
  const { professionalId, serviceTypeId } = bookingBody(api.clinic, startsAt);
  return api.client.post('/v1/slot-holds', { professionalId, serviceTypeId, startsAt, callId });
}

test('a call that holds three times changes one of them for another that overlaps it, and has no fourth', async () => {
  const callId = await aStartedCall(api.client);
  const held = await Promise.all([24, 26, 28].map((hour) => hold(callId, inHours(hour))));
  expect(held.map(({ status }) => status)).toEqual([201, 201, 201]);
  const later = (hour: number) => new Date(inHours(hour).getTime() + 15 * 60_000);

  expect((await hold(callId, later(26))).status).toBe(201);
  const paths = held.map(({ body }) => `/v1/slot-holds/${String(body['id'])}`);
  const left = await Promise.all(paths.map((path) => api.client.get(path)));
  expect(left.map(({ status }) => status)).toEqual([200, 404, 200]);

  const fourth = await hold(callId, inHours(30));
  expect([fourth.status, fourth.body['error']]).toEqual([409, 'hold_limit_reached']);
});

test('a call whose other time is taken keeps the three that it holds', async () => {
  const callId = await aStartedCall(api.client);
  const held = await Promise.all([40, 42, 44].map((hour) => hold(callId, inHours(hour))));
  const next = new Date(inHours(42).getTime() + 30 * 60_000);
  expect((await api.client.post('/v1/appointments', bookingBody(api.clinic, next))).status).toBe(201);

  expect((await hold(callId, new Date(next.getTime() - 15 * 60_000))).status).toBe(409);
  const paths = held.map(({ body }) => `/v1/slot-holds/${String(body['id'])}`);
  const left = await Promise.all(paths.map((path) => api.client.get(path)));
  expect(left.map(({ status }) => status)).toEqual([200, 200, 200]);
});
