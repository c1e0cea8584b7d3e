import { expect, test } from '@jest/globals';
import { AppointmentEntity } from '../../db/entities/appointment.entity.ts';
import { ServiceTypeEntity } from '../../db/entities/service-type.entity.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { appointmentIn, createApiClient, wrongPathsIn } from '../support/api-client.ts';
import { aClinic, bookingBody, inHours } from '../support/clinic.ts';

const MINUTE_MS = 60_000;

let nextDay = 1;

const api = await suiteApi();
const clinic = await aClinic(api.database, { professionals: 2, service: { bufferMinutes: 10 } });
const client = createApiClient(api.url, await api.keyOf({ tenantId: clinic.tenantId }));
const longServiceId = await aService({ durationMinutes: 60, bufferMinutes: 20 });

async function aService(length: { durationMinutes: number; bufferMinutes: number }): Promise<string> {
  const id = crypto.randomUUID();
  const service = { id, tenantId: clinic.tenantId, name: 'Another', ...length };
  await api.database.write((em) => em.insert(ServiceTypeEntity, service));
  return id;
}

/** Nothing else is booked on that day. */
function aFreeDay(): Date {
  return inHours(48 * nextDay++);
}

function after(startsAt: Date, minutes: number): string {
  return new Date(startsAt.getTime() + minutes * MINUTE_MS).toISOString();
}

function post(startsAt: Date, changes: Record<string, unknown> = {}) {
  return client.post('/v1/appointments', bookingBody(clinic, startsAt, changes));
}

async function booked(startsAt: Date, changes: Record<string, unknown> = {}) {
  const answer = await post(startsAt, changes);
  expect(answer.status).toBe(201);
  return appointmentIn(answer);
}

function patch(id: string, body: Record<string, unknown>) {
  return client.patch(`/v1/appointments/${id}`, body);
}

/** When its professional is free again. */
async function blockedUntil(id: string): Promise<string> {
  const { blockUntil } = await api.database.em().findOneOrFail(AppointmentEntity, { id });
  return blockUntil.toISOString();
}

test('a booking may say when it ends, and the buffer of its service follows', async () => {
  const day = aFreeDay();
  const { id, endsAt } = await booked(day, { endsAt: after(day, 50) });
  expect(endsAt).toBe(after(day, 50));
  expect(await blockedUntil(id)).toBe(after(day, 60));
  const tooEarly = await post(new Date(after(day, 59)));
  expect([tooEarly.status, tooEarly.body['error']]).toEqual([409, 'slot_conflict']);
  await booked(new Date(after(day, 60)));
});

test('it ends after it begins, by 24 hours at most', async () => {
  const day = aFreeDay();
  const { id } = await booked(inHours(48 * nextDay++));
  for (const minutes of [-10, 0, 24 * 60 + 1]) {
    const refused = await post(day, { endsAt: after(day, minutes) });
    expect([refused.status, wrongPathsIn(refused)]).toEqual([422, ['body.endsAt']]);
    const moved = await patch(id, { startsAt: day, endsAt: after(day, minutes) });
    expect([moved.status, wrongPathsIn(moved)]).toEqual([422, ['body.endsAt']]);
  }
  const before = await patch(id, { endsAt: day });
  expect([before.status, wrongPathsIn(before)]).toEqual([422, ['body.endsAt']]);
  await booked(day, { endsAt: after(day, 24 * 60) });
});

test('alternatives of a conflict are as long as what was asked for, however odd that is', async () => {
  const day = aFreeDay();
  const { id } = await booked(day);
  const refused = await post(day, { endsAt: after(day, 0.25), patientName: 'Rui Santos' });
  expect(refused.status).toBe(409);
  const [first] = refused.body['alternatives'] as { startsAt: string; endsAt: string }[];
  expect(Date.parse(first?.endsAt ?? '') - Date.parse(first?.startsAt ?? '')).toBe(0.25 * MINUTE_MS);
  await patch(id, { status: 'cancelled' });
});

test('a move keeps a length of its own, takes another one, or goes by the service', async () => {
  const [own, service] = [aFreeDay(), aFreeDay()];
  const long = await booked(own, { endsAt: after(own, 50) });
  const day = aFreeDay();
  const kept = await patch(long.id, { startsAt: day });
  expect(kept.body['replacement']).toMatchObject({ endsAt: after(day, 50) });
  const replacement = String(kept.body['rescheduledToId']);
  const next = aFreeDay();
  const resized = await patch(replacement, { startsAt: next, endsAt: after(next, 15) });
  expect(resized.body['replacement']).toMatchObject({ endsAt: after(next, 15) });
  // The same request again finds its work done; one of another length is for the replacement.
  const again = await patch(replacement, { startsAt: next, endsAt: after(next, 15) });
  expect([again.status, again.body]).toEqual([200, resized.body]);
  const other = await patch(replacement, { startsAt: next, endsAt: after(next, 20) });
  expect([other.status, other.body['error']]).toEqual([409, 'appointment_rescheduled']);

  const plain = await booked(service);
  const later = aFreeDay();
  const moved = await patch(plain.id, { startsAt: later, serviceTypeId: longServiceId });
  expect(moved.body).toMatchObject({ serviceTypeId: clinic.serviceTypeId });
  expect(moved.body['replacement']).toMatchObject({
    serviceTypeId: longServiceId,
    endsAt: after(later, 60),
  });
});

test('the end alone is corrected in place, with an event that names it', async () => {
  const day = aFreeDay();
  const { id } = await booked(day);
  const longer = await patch(id, { endsAt: after(day, 45) });
  expect(longer.body).toMatchObject({ id, status: 'confirmed', endsAt: after(day, 45), version: 2 });
  expect(await blockedUntil(id)).toBe(after(day, 55));
  expect(await lastEventOf(id)).toMatchObject({
    type: 'appointment.updated',
    data: { changes: ['endsAt'], appointment: { endsAt: after(day, 45), version: 2 } },
  });
  expect((await patch(id, { startsAt: day, endsAt: after(day, 45) })).body).toEqual(longer.body);
  const shorter = await patch(id, { startsAt: day, endsAt: after(day, 15) });
  expect(shorter.body).toMatchObject({ status: 'confirmed', endsAt: after(day, 15), version: 3 });
  await booked(new Date(after(day, 25)));
});

test('what would grow into the next appointment is a conflict with alternatives, and stays as it was', async () => {
  const day = aFreeDay();
  const { id } = await booked(day);
  const next = await booked(new Date(after(day, 60)));
  const unchanged = (await client.get(`/v1/appointments/${id}`)).body;
  for (const body of [{ endsAt: after(day, 51) }, { serviceTypeId: longServiceId }]) {
    const refused = await patch(id, body);
    expect([refused.status, refused.body['error']]).toEqual([409, 'slot_conflict']);
    expect(refused.body['alternatives']).toHaveLength(3);
  }
  expect((await client.get(`/v1/appointments/${id}`)).body).toEqual(unchanged);
  expect((await patch(id, { endsAt: after(day, 50) })).status).toBe(200);
  await patch(next.id, { status: 'cancelled' });
  expect((await patch(id, { endsAt: after(day, 51) })).status).toBe(200);
  const { rows } = await rowsOf(day);
  expect(rows).toBe(2);
});

test('another service brings its duration, unless the length is one of its own', async () => {
  const [first, second] = [aFreeDay(), aFreeDay()];
  const plain = await booked(first);
  const changed = await patch(plain.id, { serviceTypeId: longServiceId });
  expect(changed.body).toMatchObject({ serviceTypeId: longServiceId, endsAt: after(first, 60) });
  expect(await blockedUntil(plain.id)).toBe(after(first, 80));
  expect(await lastEventOf(plain.id)).toMatchObject({ data: { changes: ['serviceTypeId', 'endsAt'] } });

  const own = await booked(second, { endsAt: after(second, 45) });
  const kept = await patch(own.id, { serviceTypeId: longServiceId });
  expect(kept.body).toMatchObject({ serviceTypeId: longServiceId, endsAt: after(second, 45) });
  expect(await blockedUntil(own.id)).toBe(after(second, 65));
  const unknown = await patch(own.id, { serviceTypeId: crypto.randomUUID() });
  expect([unknown.status, wrongPathsIn(unknown)]).toEqual([422, ['body.serviceTypeId']]);
});

test('another system needs no service, if it says that it syncs and when the appointment ends', async () => {
  const day = aFreeDay();
  const without = { serviceTypeId: undefined, endsAt: after(day, 20) };
  for (const body of [without, { source: 'sync_external', serviceTypeId: null }]) {
    const refused = await post(day, body);
    expect([refused.status, wrongPathsIn(refused)]).toEqual([422, ['body.serviceTypeId']]);
  }
  const nothing = await client.post('/v1/appointments', {});
  expect(wrongPathsIn(nothing)).toContain('body.serviceTypeId');
  const synced = await booked(day, { ...without, source: 'sync_external' });
  expect(synced).toMatchObject({ serviceTypeId: null, endsAt: after(day, 20) });
  expect(await blockedUntil(synced.id)).toBe(after(day, 20));
  const stranger = await post(aFreeDay(), {
    ...without,
    source: 'sync_external',
    professionalId: crypto.randomUUID(),
  });
  expect([stranger.status, wrongPathsIn(stranger)]).toEqual([422, ['body.professionalId']]);
  const named = await patch(synced.id, { serviceTypeId: longServiceId });
  expect(named.body).toMatchObject({ serviceTypeId: longServiceId, endsAt: after(day, 20) });
});

interface ToldEvent {
  type: string;
  data: Record<string, unknown>;
}

async function lastEventOf(appointmentId: string): Promise<unknown> {
  const { body } = await client.get('/v1/webhook-events', { appointmentId, limit: '1' });
  const [event] = body['items'] as (ToldEvent & { id: string })[];
  return (await client.get(`/v1/webhook-events/${event?.id}`)).body;
}

/** How many appointments of the clinic there are on that day, seen or not. */
async function rowsOf(day: Date): Promise<{ rows: number }> {
  const until = new Date(day.getTime() + 86_400_000);
  const rows = await api.database
    .em()
    .count(AppointmentEntity, { tenantId: clinic.tenantId, startsAt: { $gte: day, $lt: until } });
  return { rows };
}
