import { expect, test } from '@jest/globals';
import { appointmentIn } from '../../support/api-client.ts';
import { bookingBody, inHours } from '../../support/clinic.ts';
import { suiteApi } from '../../support/servers/api-server.ts';

const api = await suiteApi();

test('a booking that lasts longer than what is held is asked about the hours again, on a move too', async () => {
  const startsAt = inHours(24);
  const heldUntil = startsAt.getTime() + 30 * 60_000;
  const endsAt = new Date(heldUntil + 60_000);
  const closed = { professionalId: null, startsAt: new Date(heldUntil), endsAt };
  await api.client.send('PUT', `/v1/busy-blocks/${crypto.randomUUID()}`, { body: closed });
  const { professionalId, serviceTypeId } = bookingBody(api.clinic, startsAt);
  const held = await api.client.post('/v1/slot-holds', { professionalId, serviceTypeId, startsAt });
  expect(held.status).toBe(201);
  const asHeld = { respectHours: true, holdId: held.body['id'] };
  const another = appointmentIn(
    await api.client.post('/v1/appointments', bookingBody(api.clinic, inHours(30))),
  );

  const booked = await api.client.post(
    '/v1/appointments',
    bookingBody(api.clinic, startsAt, { ...asHeld, endsAt }),
  );
  const moved = await api.client.patch(`/v1/appointments/${another.id}`, { startsAt, ...asHeld, endsAt });
  for (const { status, body } of [booked, moved])
    expect([status, body['error']]).toEqual([409, 'outside_hours']);
  const asLong = await api.client.post('/v1/appointments', bookingBody(api.clinic, startsAt, asHeld));
  expect(asLong.status).toBe(201);
});
