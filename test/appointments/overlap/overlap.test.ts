import { beforeEach, describe, expect, test } from '@jest/globals';
import { bookAppointment } from '../../../commands/appointments/book-appointment.ts';
import { holdSlot } from '../../../commands/appointments/holds/hold-slot.ts';
import { appointmentIn, createApiClient, type ApiAnswer } from '../../support/api-client.ts';
import { aBooking, asOperator, bookingBody, inHours } from '../../support/clinic.ts';
import { suiteApi } from '../../support/servers/api-server.ts';
import { storedEvents } from '../../support/stored/stored-events.ts';

const HALF_HOUR_MS = 1_800_000;
const api = await suiteApi();
const { tenantId, professionalIds, serviceTypeId } = api.clinic;

let nextHour = 24;
/** Free, like the three hours after it. */
let startsAt: Date;
beforeEach(() => {
  nextHour += 4;
  startsAt = inHours(nextHour);
});

const later = (halves: number) => new Date(startsAt.getTime() + halves * HALF_HOUR_MS);

function book(changes: Record<string, unknown> = {}, at = startsAt): Promise<ApiAnswer> {
  return api.client.post(
    '/v1/appointments',
    bookingBody(api.clinic, at, { patientName: crypto.randomUUID(), ...changes }),
  );
}

const overlapping = (changes: Record<string, unknown> = {}, at = startsAt) =>
  book({ overlap: true, ...changes }, at);

async function idOf(answer: Promise<ApiAnswer>): Promise<string> {
  return appointmentIn(await answer).id;
}

const patch = (id: string, body: Record<string, unknown>) => api.client.patch(`/v1/appointments/${id}`, body);
const cancel = (id: string) => api.client.delete(`/v1/appointments/${id}`);
const reinstate = (id: string) => api.client.send('POST', `/v1/appointments/${id}/reinstate`);
const read = async (id: string) => (await api.client.get(`/v1/appointments/${id}`)).body;
const hold = (at = startsAt) =>
  api.client.post('/v1/slot-holds', { professionalId: professionalIds[0], serviceTypeId, startsAt: at });

function outcome({ status, body }: ApiAnswer) {
  return status < 400 ? status : [status, body['error']];
}
const CONFLICT = [409, 'slot_conflict'];

describe('an appointment that may overlap others', () => {
  test('is booked over another, which does not change', async () => {
    const beneath = await idOf(book());
    const before = await read(beneath);
    expect(outcome(await book())).toEqual(CONFLICT);
    const over = await overlapping();
    expect(over).toMatchObject({ status: 201, body: { overlap: true, status: 'confirmed' } });
    expect(outcome(await overlapping())).toBe(201);
    expect(await read(beneath)).toEqual(before);
    expect(before).toMatchObject({ overlap: false, version: 1 });
  });

  test('says so on a free time, in its event and in its timeline', async () => {
    const id = await idOf(overlapping());
    expect(await read(id)).toMatchObject({ overlap: true });
    const [event] = await storedEvents(api.database, { appointmentId: id });
    expect(JSON.parse(event?.body ?? '')).toMatchObject({ data: { appointment: { overlap: true } } });
    const { body } = await api.client.get(`/v1/appointments/${id}/timeline`);
    expect(body['items']).toContainEqual(
      expect.objectContaining({ kind: 'created', changes: expect.objectContaining({ overlap: true }) }),
    );
  });

  test('requires the scope appointments:source for a booking and a move', async () => {
    const key = await api.keyOf({ scopes: ['appointments:read', 'appointments:write'] });
    const client = createApiClient(api.url, key);
    const body = bookingBody(api.clinic, startsAt);
    const forbidden = await client.post('/v1/appointments', { ...body, overlap: true });
    expect(outcome(forbidden)).toEqual([403, 'insufficient_scope']);
    const booked = await client.post('/v1/appointments', { ...body, overlap: false });
    expect(booked).toMatchObject({ status: 201, body: { overlap: false } });
    const move = { startsAt: later(2), overlap: true };
    expect(outcome(await client.patch(`/v1/appointments/${appointmentIn(booked).id}`, move))).toEqual([
      403,
      'insufficient_scope',
    ]);
    expect(outcome(await patch(appointmentIn(booked).id, { overlap: true }))).toEqual([
      422,
      'validation_failed',
    ]);
  });

  test('keeps its time from bookings, holds, moves, longer ends and reinstatements', async () => {
    const cancelled = await idOf(book());
    await cancel(cancelled);
    await overlapping();
    const before = await idOf(book({}, later(-1)));
    const elsewhere = await idOf(book({}, later(3)));
    expect(outcome(await book())).toEqual(CONFLICT);
    expect(outcome(await hold())).toEqual(CONFLICT);
    expect(outcome(await patch(elsewhere, { startsAt }))).toEqual(CONFLICT);
    expect(outcome(await patch(before, { endsAt: new Date(startsAt.getTime() + 600_000) }))).toEqual(
      CONFLICT,
    );
    expect(outcome(await reinstate(cancelled))).toEqual(CONFLICT);
    const keyed = bookingBody(api.clinic, startsAt, { patientName: 'With a key' });
    const headers = { 'idempotency-key': crypto.randomUUID() };
    expect(outcome(await api.client.post('/v1/appointments', keyed, headers))).toEqual(CONFLICT);
  });

  test('keeps its time after the one beneath is cancelled, which then needs free time', async () => {
    const beneath = await idOf(book());
    const over = await idOf(overlapping({}, new Date(startsAt.getTime() + 600_000)));
    await cancel(beneath);
    expect(outcome(await reinstate(beneath))).toEqual(CONFLICT);
    expect(outcome(await book())).toEqual(CONFLICT);
    await cancel(over);
    expect(outcome(await reinstate(beneath))).toBe(200);
    expect(outcome(await reinstate(over))).toEqual(CONFLICT);
  });

  test('is busy for availability', async () => {
    const query = { serviceTypeId, from: startsAt.toISOString(), to: later(1).toISOString() };
    const professionalId = professionalIds[0] ?? '';
    const free = async () => {
      const ask = { query: { ...query, professionalId } };
      const { body } = await api.client.send('GET', '/v1/availability', ask);
      return JSON.stringify(body).includes(startsAt.toISOString());
    };
    const wasFree = await free();
    const over = await idOf(overlapping());
    expect([wasFree, await free()]).toEqual([true, false]);
    await cancel(over);
    expect(await free()).toBe(true);
  });

  test('is moved into free time, or over others if the move asks for it', async () => {
    await book();
    const over = await idOf(overlapping());
    await book({}, later(2));
    expect(outcome(await patch(over, { startsAt: later(2) }))).toEqual(CONFLICT);
    const moved = await patch(over, { startsAt: later(2), overlap: true });
    expect(moved.body['replacement']).toMatchObject({ overlap: true });
    const { id } = moved.body['replacement'] as { id: string };
    expect(outcome(await book({}, later(2)))).toEqual(CONFLICT);
    const free = await patch(id, { startsAt: later(4) });
    expect(free.body['replacement']).toMatchObject({ overlap: false });
    expect(outcome(await book({}, later(4)))).toEqual(CONFLICT);
  });

  test('becomes longer only into free time, and then keeps that too', async () => {
    await book();
    const over = await idOf(overlapping());
    expect(outcome(await patch(over, { endsAt: later(2) }))).toBe(200);
    expect(outcome(await book({}, later(1)))).toEqual(CONFLICT);
    await book({}, later(2));
    expect(outcome(await patch(over, { endsAt: later(3) }))).toEqual(CONFLICT);
  });

  test('keeps its time when a check-in is undone, and loses it with a no-show', async () => {
    const past = inHours(-2);
    await book({}, past);
    const over = await idOf(overlapping({}, past));
    expect(outcome(await patch(over, { status: 'attended' }))).toBe(200);
    const undone = await reinstate(over);
    expect(undone.body['replacement']).toMatchObject({ overlap: true, status: 'confirmed' });
    const { id } = undone.body['replacement'] as { id: string };
    expect(outcome(await patch(id, { status: 'no_show' }))).toBe(200);
    expect(outcome(await patch(id, { status: 'attended' }))).toBe(200);
    expect(outcome(await reinstate(id))).toEqual(CONFLICT);
  });
});

describe('what an overlap does not pass', () => {
  test('is the same patient at the same time', async () => {
    const patient = { patientName: 'Rita Gomes' };
    const id = await idOf(book(patient));
    const again = await overlapping(patient);
    expect([outcome(again), again.body['appointmentId']]).toEqual([[409, 'already_booked'], id]);
    const elsewhere = await idOf(book(patient, later(2)));
    expect(outcome(await patch(elsewhere, { startsAt, overlap: true }))).toEqual([409, 'already_booked']);
    const twice = { patientName: 'Vera Melo' };
    const both = await Promise.all([overlapping(twice), overlapping(twice)]);
    expect(both.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  test('is a hold of a key, except its own', async () => {
    const holdId = String((await hold()).body['id']);
    expect(outcome(await overlapping())).toEqual(CONFLICT);
    const elsewhere = await idOf(book({}, later(2)));
    expect(outcome(await patch(elsewhere, { startsAt, overlap: true }))).toEqual(CONFLICT);
    expect(outcome(await overlapping({ holdId }))).toBe(201);
    const other = String((await hold(later(4))).body['id']);
    const moved = await patch(elsewhere, { startsAt: later(4), overlap: true, holdId: other });
    expect(outcome(moved)).toBe(200);
  });

  test('is an external ID that another appointment has', async () => {
    await book({ externalId: 'taken-by-another' });
    const again = await overlapping({ externalId: 'taken-by-another' });
    expect(outcome(again)).toEqual([409, 'external_id_conflict']);
  });
});

test('the hold of a patient is booked over', async () => {
  const context = { ...asOperator(), actor: 'patient' };
  const professionalId = professionalIds[0] ?? '';
  const slot = { tenantId, professionalId, serviceTypeId, startsAt, mayBackdate: false };
  const { id: holdId } = await api.database.write((em) => holdSlot(em, slot, context));
  expect(outcome(await overlapping())).toBe(201);
  const late = aBooking(api.clinic, { startsAt, holdId, source: 'self_service' });
  await expect(api.database.write((em) => bookAppointment(em, late, context))).rejects.toMatchObject({
    code: 'hold_expired',
  });
});
