import { expect, test } from '@jest/globals';
import { ServiceTypeEntity } from '../../db/entities/service-type.entity.ts';
import { aStartedCall } from '../calls/call-builders.ts';
import { appointmentIn, createApiClient, wrongPathsIn } from '../support/api-client.ts';
import { aClinic, bookingBody, inHours } from '../support/clinic.ts';
import { suiteApi } from '../support/servers/api-server.ts';

let nextHour = 24;

const api = await suiteApi();

function aBookingBody(changes: Record<string, unknown> = {}) {
  return bookingBody(api.clinic, inHours(nextHour++), changes);
}

function post(body: Record<string, unknown>) {
  return api.client.post('/v1/appointments', body);
}

async function idsOf(callId: string): Promise<unknown> {
  const { body } = await api.client.get(`/v1/calls/${callId}`);
  return (body['call'] as Record<string, unknown>)['appointmentIds'];
}

async function eventDataOf(appointmentId: string): Promise<Record<string, Record<string, unknown>>> {
  const { body } = await api.client.get('/v1/webhook-events', { appointmentId, limit: '1' });
  const [event] = body['items'] as { id: string }[];
  const read = await api.client.get(`/v1/webhook-events/${event?.id}`);
  return read.body['data'] as Record<string, Record<string, unknown>>;
}

test('an appointment names its call and a call its appointments, those that it moved too', async () => {
  const callId = await aStartedCall(api.client);
  expect(await idsOf(callId)).toEqual([]);
  const booked = appointmentIn(await post(aBookingBody({ callId })));
  expect(booked.callId).toBe(callId);
  expect((await eventDataOf(booked.id))['appointment']).toMatchObject({ callId });
  const timeline = await api.client.get(`/v1/appointments/${booked.id}/timeline`);
  expect(timeline.body['items']).toContainEqual(
    expect.objectContaining({ kind: 'created', changes: expect.objectContaining({ callId }) }),
  );
  expect(await idsOf(callId)).toEqual([booked.id]);

  const later = await aStartedCall(api.client);
  const moved = await api.client.patch(`/v1/appointments/${booked.id}`, {
    startsAt: inHours(nextHour++),
    callId: later,
  });
  expect(moved.body).toMatchObject({ callId, replacement: { callId: later } });
  expect(await idsOf(later)).toEqual([moved.body['rescheduledToId']]);
  const byHand = await api.client.patch(`/v1/appointments/${String(moved.body['rescheduledToId'])}`, {
    startsAt: inHours(nextHour++),
  });
  expect(byHand.body['replacement']).toMatchObject({ callId: null });
});

test('a call that the clinic does not have is refused, and so is one without a move', async () => {
  const stranger = await aClinic(api.database);
  const other = createApiClient(api.url, await api.keyOf({ tenantId: stranger.tenantId }));
  const { id } = appointmentIn(await post(aBookingBody()));
  for (const callId of [crypto.randomUUID(), await aStartedCall(other)]) {
    const booking = await post(aBookingBody({ callId }));
    expect([booking.status, wrongPathsIn(booking)]).toEqual([422, ['body.callId']]);
    const move = await api.client.patch(`/v1/appointments/${id}`, { startsAt: inHours(nextHour++), callId });
    expect([move.status, wrongPathsIn(move)]).toEqual([422, ['body.callId']]);
  }
  const callId = await aStartedCall(api.client);
  const alone = await api.client.patch(`/v1/appointments/${id}`, { callId });
  expect([alone.status, wrongPathsIn(alone)]).toEqual([422, ['body.callId']]);
});

test('the same booking again is booked already, however the name is written and no matter who asks', async () => {
  const body = aBookingBody({ patientName: 'José  da Conceição', externalId: 'already-1' });
  const booked = appointmentIn(await post(body));
  const again = { ...body, patientName: 'jose da conceicao ', metadata: { again: true } };
  for (const repeat of [body, again, { ...again, externalId: 'already-2' }]) {
    const answer = await post(repeat);
    expect([answer.status, answer.body]).toMatchObject([
      409,
      { error: 'already_booked', appointmentId: booked.id, appointment: booked },
    ]);
  }
  const blind = createApiClient(api.url, await api.keyOf({ scopes: ['appointments:write'] }));
  const unseen = await blind.post('/v1/appointments', again);
  expect(unseen.body).toMatchObject({ error: 'already_booked', appointmentId: booked.id });
  expect(unseen.body).not.toHaveProperty('appointment');
});

test('another patient, service or state of it is a conflict of slots', async () => {
  const { tenantId } = api.clinic;
  const serviceTypeId = crypto.randomUUID();
  const service = { id: serviceTypeId, tenantId, name: 'Cleaning', durationMinutes: 30 };
  await api.database.write((em) => em.insert(ServiceTypeEntity, service));
  const body = aBookingBody();
  const { id } = appointmentIn(await post(body));
  const others = [{ patientName: 'Rui Martins' }, { patientPhone: '+351912000000' }, { serviceTypeId }];
  for (const other of others) {
    expect((await post({ ...body, ...other })).body['error']).toBe('slot_conflict');
  }
  await api.client.patch(`/v1/appointments/${id}`, { status: 'attended' });
  expect((await post(body)).body['error']).toBe('slot_conflict');
});

test('a move to where the patient is booked already says so', async () => {
  const there = aBookingBody();
  const booked = appointmentIn(await post(there));
  const { id } = appointmentIn(await post(aBookingBody()));
  const { startsAt } = there;
  const answer = await api.client.patch(`/v1/appointments/${id}`, { startsAt });
  expect([answer.status, answer.body]).toMatchObject([
    409,
    { error: 'already_booked', appointmentId: booked.id, appointment: { id: booked.id } },
  ]);
  expect((await api.client.get(`/v1/appointments/${id}`)).body).toMatchObject({ status: 'confirmed' });
});

test('an agent that asks for each booking three times at once books each patient once', async () => {
  const wishes = Array.from({ length: 8 }, (_, at) => aBookingBody({ patientName: `Patient ${at}` }));
  const answers = await Promise.all(wishes.flatMap((wish) => [post(wish), post(wish), post(wish)]));
  for (const [at] of wishes.entries()) {
    const [first, ...repeats] = answers
      .slice(3 * at, 3 * at + 3)
      .sort((one, other) => one.status - other.status);
    expect(first?.status).toBe(201);
    for (const { status, body } of repeats) {
      expect([status, body['error'], body['appointmentId']]).toEqual([
        409,
        'already_booked',
        first?.body['id'],
      ]);
    }
  }
});
