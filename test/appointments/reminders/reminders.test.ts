import { describe, expect, test } from '@jest/globals';
import { DateTime } from 'luxon';
import { updateTenantByOperator } from '../../../commands/clinic/update-tenant.ts';
import { markReminded } from '../../../db/appointments/reminder-scan.ts';
import type { Scope } from '../../../domain/clinic/api-scopes.ts';
import { expectDocumented } from '../../docs/documented-event.ts';
import { createApiClient } from '../../support/api-client.ts';
import {
  aClinic,
  anEndpoint,
  asOperator,
  book,
  bookingBody,
  change,
  type TestClinic,
} from '../../support/clinic.ts';
import { suiteApi } from '../../support/servers/api-server.ts';
import { storedEvents } from '../../support/stored/stored-events.ts';
import { remindAt, sentReminders, setHours } from './reminded-clinic.ts';

const api = await suiteApi();
const { database } = api;
const HOUR_MS = 3_600_000;

/** Noon some days from now in the clinic's zone, UTC. */
const noon = (days: number) => DateTime.utc().startOf('day').plus({ days, hours: 12 }).toJSDate();
const before = (at: Date, hours: number) => new Date(at.getTime() - hours * HOUR_MS);

async function aRemindingClinic(hours: number[] | null = [48, 3]): Promise<TestClinic> {
  const clinic = await aClinic(database, { config: { timezone: 'UTC' } });
  await setHours(database, clinic, hours);
  return clinic;
}

const hoursSent = async ({ tenantId }: TestClinic) =>
  (await sentReminders(database, tenantId)).map(({ hoursBefore }) => hoursBefore);

describe('a reminder', () => {
  test('is an event with the appointment, its hours and the link of the patient, and leaves the version', async () => {
    const clinic = await aRemindingClinic();
    const startsAt = noon(5);
    const { id } = await book(database, clinic, { startsAt });
    await remindAt(database, before(startsAt, 48));
    const [event] = await storedEvents(database, {
      tenantId: clinic.tenantId,
      type: 'appointment.reminder_due',
    });
    expectDocumented('appointment.reminder_due', event?.body ?? '');
    expect(JSON.parse(event?.body ?? '')).toMatchObject({
      data: {
        appointment: { id, status: 'confirmed', version: 1 },
        hoursBefore: 48,
        patientUrl: `https://dashboard.example/book/a/${id}`,
        actor: { type: 'system', id: null },
      },
    });
    const client = createApiClient(api.url, await api.keyOf({ tenantId: clinic.tenantId }));
    expect((await client.get(`/v1/appointments/${id}`)).body).toMatchObject({ version: 1 });
  });

  test('is sent once by several workers at once', async () => {
    const clinic = await aRemindingClinic([3]);
    const startsAt = noon(6);
    const ids = await Promise.all(
      [0, 1, 2, 3].map((hour) => book(database, clinic, { startsAt: before(startsAt, -hour / 2) })),
    );
    const at = before(startsAt, 1);
    await Promise.all([remindAt(database, at), remindAt(database, at), remindAt(database, at)]);
    expect((await sentReminders(database, clinic.tenantId)).map(({ appointment }) => appointment.id)).toEqual(
      ids.map(({ id }) => id),
    );
    const [first] = ids;
    const marked = { tenantId: clinic.tenantId, id: first?.id ?? '', hoursBefore: 3 };
    expect(await database.write((em) => markReminded(em, marked))).toBe(false);
  });

  test('is sent for a replacement at its own times, and not for what was moved, cancelled or checked in', async () => {
    const clinic = await aRemindingClinic();
    const [startsAt, later] = [noon(7), noon(9)];
    const moved = await book(database, clinic, { startsAt });
    const cancelled = await book(database, clinic, { startsAt: before(startsAt, 1) });
    const attended = await book(database, clinic, { startsAt: before(startsAt, 2) });
    await remindAt(database, before(startsAt, 48));
    expect(await hoursSent(clinic)).toEqual([48, 48, 48]);
    const { replacement } = await change(database, clinic, moved.id, { startsAt: later });
    await change(database, clinic, cancelled.id, { status: 'cancelled' });
    await change(database, clinic, attended.id, { status: 'attended' });
    await remindAt(database, before(startsAt, 2.5));
    expect(await hoursSent(clinic)).toHaveLength(3);
    await remindAt(database, before(later, 48));
    await remindAt(database, before(later, 3));
    const sent = (await sentReminders(database, clinic.tenantId)).slice(3);
    expect(sent.map(({ appointment, hoursBefore }) => [appointment.id, hoursBefore])).toEqual([
      [replacement?.id, 48],
      [replacement?.id, 3],
    ]);
  });

  test('is not sent for an appointment booked after it was due', async () => {
    const clinic = await aRemindingClinic([336, 3]);
    const startsAt = noon(8);
    await book(database, clinic, { startsAt });
    await remindAt(database, before(startsAt, 24));
    expect(await hoursSent(clinic)).toEqual([]);
    await remindAt(database, before(startsAt, 3));
    expect(await hoursSent(clinic)).toEqual([3]);
  });

  test('is not sent for an erased patient', async () => {
    const clinic = await aRemindingClinic([3]);
    const startsAt = noon(5);
    const client = createApiClient(api.url, await api.keyOf({ tenantId: clinic.tenantId }));
    await client.post('/v1/appointments', bookingBody(clinic, startsAt));
    const erased = await client.post('/v1/patients/erase', { patientPhone: '+351912345678' });
    await remindAt(database, before(startsAt, 3));
    expect([erased.status, await hoursSent(clinic)]).toEqual([200, []]);
  });

  test('has no link when the appointment was given to another patient', async () => {
    const clinic = await aRemindingClinic([3]);
    const startsAt = noon(5);
    const client = createApiClient(api.url, await api.keyOf({ tenantId: clinic.tenantId }));
    const { body } = await client.post('/v1/appointments', bookingBody(clinic, startsAt));
    const given = { patientName: 'Rui Costa', patientPhone: '+351913333333' };
    const { status } = await client.patch(`/v1/appointments/${String(body['id'])}`, given);
    await remindAt(database, before(startsAt, 3));
    const links = (await sentReminders(database, clinic.tenantId)).map(({ patientUrl }) => patientUrl);
    expect([status, links]).toEqual([200, [null]]);
  });

  test('comes in pages, however many are due at once', async () => {
    const clinic = await aRemindingClinic([336]);
    const first = noon(20);
    const starts = Array.from({ length: 250 }, (_, nr) => before(first, -nr / 2));
    for (const startsAt of starts) await book(database, clinic, { startsAt });
    await remindAt(database, before(first, 1));
    const sent = await sentReminders(database, clinic.tenantId);
    expect(new Set(sent.map(({ appointment }) => appointment.id)).size).toBe(250);
    expect(sent).toHaveLength(250);
  });

  test('that fails does not hold up the others, and is tried again', async () => {
    const clinic = await aRemindingClinic([3]);
    const startsAt = noon(6);
    const [broken, whole] = [
      await book(database, clinic, { startsAt }),
      await book(database, clinic, { startsAt: before(startsAt, -1) }),
    ];
    const nameOf = (id: string, name: string) =>
      database.em().execute<{ before: string }[]>(
        `UPDATE calendar_entry SET patient_name = ? FROM calendar_entry earlier
           WHERE calendar_entry.id = ? AND earlier.id = calendar_entry.id RETURNING earlier.patient_name AS before`,
        [name, id],
      );
    const [wholeName] = await nameOf(broken.id, '');
    await nameOf(broken.id, wholeName?.before.slice(0, -4).concat('AAAA') ?? '');
    const failed = await remindAt(database, before(startsAt, 2));
    expect(failed).toEqual([broken.id]);
    const ids = async () =>
      (await sentReminders(database, clinic.tenantId)).map(({ appointment }) => appointment.id);
    expect(await ids()).toEqual([whole.id]);
    await nameOf(broken.id, wholeName?.before ?? '');
    await remindAt(database, before(startsAt, 1.9));
    expect(await ids()).toEqual([whole.id, broken.id]);
  });

  test('is sent although more than a page of earlier ones fail', async () => {
    const clinic = await aRemindingClinic([48]);
    const startsAt = noon(8);
    const { id } = await book(database, clinic, { startsAt });
    // Names that were encrypted for another appointment cannot be read.
    await database.em().execute(
      `INSERT INTO appointment (id, tenant_id, professional_id, patient_name, name_hash, name_tokens,
         patient_phone_hash, starts_at, ends_at, block_from, block_until, source, blocks)
       SELECT gen_random_uuid(), tenant_id, professional_id, patient_name, name_hash, name_tokens,
         patient_phone_hash, starts_at - interval '1 hour', ends_at, block_from - interval '1 hour', block_until, source, false
       FROM appointment, generate_series(1, 210) WHERE id = ?`,
      [id],
    );
    const failed = await remindAt(database, before(startsAt, 48));
    expect(failed).toHaveLength(210);
    const sent = await sentReminders(database, clinic.tenantId);
    expect(sent.map(({ appointment }) => appointment.id)).toEqual([id]);
  });
});

describe('the settings', () => {
  test('apply to what was not reminded of, and repeat nothing', async () => {
    const clinic = await aRemindingClinic([48]);
    const startsAt = noon(7);
    await book(database, clinic, { startsAt });
    await remindAt(database, before(startsAt, 48));
    await setHours(database, clinic, null);
    await remindAt(database, before(startsAt, 26));
    await setHours(database, clinic, [48, 24]);
    await remindAt(database, before(startsAt, 25));
    expect(await hoursSent(clinic)).toEqual([48]);
    await remindAt(database, before(startsAt, 24));
    await setHours(database, clinic, [24, 72]);
    await remindAt(database, before(startsAt, 22));
    expect(await hoursSent(clinic)).toEqual([48, 24]);
  });

  test('turned on late remind of what is already due', async () => {
    const clinic = await aRemindingClinic(null);
    const startsAt = noon(5);
    await book(database, clinic, { startsAt });
    await remindAt(database, before(startsAt, 30));
    await setHours(database, clinic, [48, 3]);
    await remindAt(database, before(startsAt, 26));
    expect(await hoursSent(clinic)).toEqual([48]);
  });

  test('of the time zone count at once', async () => {
    const clinic = await aRemindingClinic([48]);
    const startsAt = noon(6);
    await book(database, clinic, { startsAt });
    const at = before(startsAt, 38);
    await remindAt(database, at);
    const inUtc = await hoursSent(clinic);
    const config = { timezone: 'America/New_York' };
    await database.write((em) =>
      updateTenantByOperator(em, { tenantId: clinic.tenantId, config }, asOperator()),
    );
    await remindAt(database, at);
    expect([inUtc, await hoursSent(clinic)]).toEqual([[], [48]]);
  });

  test('of a clinic that has left remind of nothing', async () => {
    const clinic = await aRemindingClinic([3]);
    const startsAt = noon(5);
    await book(database, clinic, { startsAt });
    const left = { tenantId: clinic.tenantId, status: 'canceled' as const };
    await database.write((em) => updateTenantByOperator(em, left, asOperator()));
    await remindAt(database, before(startsAt, 3));
    expect(await hoursSent(clinic)).toEqual([]);
  });

  test.each([
    [{ hoursBefore: [48, 3] }, 200],
    [{ hoursBefore: [336, 24, 1] }, 200],
    [{ hoursBefore: [] }, 200],
    [null, 200],
    [{ hoursBefore: [0] }, 422],
    [{ hoursBefore: [337] }, 422],
    [{ hoursBefore: [1.5] }, 422],
    [{ hoursBefore: [4, 3, 2, 1] }, 422],
    [{}, 422],
    [{ hoursBefore: [3], channel: 'sms' }, 422],
  ])('%j returns %i', async (reminders, status) => {
    const { tenantId } = await aClinic(database);
    const client = createApiClient(api.url, await api.keyOf({ tenantId }));
    const answer = await client.patch('/v1/tenants/me', { config: { reminders } });
    expect(answer.status).toBe(status);
    const { config } = (await client.get('/v1/tenants/me')).body as { config: object };
    expect(config).toEqual(
      status === 200 && reminders
        ? expect.objectContaining({ reminders })
        : expect.not.objectContaining({ reminders: 1 }),
    );
  });
});

describe('an endpoint gets reminders', () => {
  const name = 'appointment.reminder_due';

  test('only if it names them', async () => {
    const clinic = await aRemindingClinic([3]);
    const startsAt = noon(5);
    const { tenantId } = clinic;
    const [all, group] = [
      await anEndpoint(database, tenantId),
      await anEndpoint(database, tenantId, ['appointment.*']),
    ];
    const [named, both] = [
      await anEndpoint(database, tenantId, [name]),
      await anEndpoint(database, tenantId, ['*', name]),
    ];
    await book(database, clinic, { startsAt });
    await remindAt(database, before(startsAt, 3));
    const rows = await database
      .em()
      .execute<{ id: string }[]>(
        'SELECT endpoint_id AS id FROM webhook_delivery WHERE tenant_id = ? AND event_type = ?',
        [tenantId, name],
      );
    const ids = rows.map(({ id }) => id);
    expect(ids.toSorted()).toEqual([named, both].toSorted());
    expect(ids).not.toContain(all);
    expect(ids).not.toContain(group);
  });

  test('and an export of the patient does not have the link', async () => {
    const clinic = await aRemindingClinic([3]);
    const startsAt = noon(5);
    const client = createApiClient(api.url, await api.keyOf({ tenantId: clinic.tenantId }));
    await client.post('/v1/appointments', bookingBody(clinic, startsAt));
    await remindAt(database, before(startsAt, 3));
    const { body } = await client.post('/v1/patients/export', { patientPhone: '+351912345678' });
    expect(body['events']).toContainEqual(
      expect.objectContaining({ type: name, data: expect.objectContaining({ patientUrl: null }) }),
    );
    expect(JSON.stringify(body)).not.toContain('/book/a/');
  });

  test('only from a key that may change appointments, which reading them needs too', async () => {
    const clinic = await aRemindingClinic([3]);
    const startsAt = noon(5);
    const { tenantId } = clinic;
    const clientOf = async (...scopes: Scope[]) =>
      createApiClient(api.url, await api.keyOf({ tenantId, scopes }));
    const scopes: Scope[] = ['webhooks:read', 'webhooks:write', 'appointments:read'];
    const reader = await clientOf(...scopes);
    const writer = await clientOf(...scopes, 'appointments:write');
    const pull = { delivery: 'pull', events: [name] };
    const refused = { status: 403, body: { error: 'insufficient_scope' } };
    expect(await reader.post('/v1/webhook-endpoints', pull)).toMatchObject(refused);
    const { body: endpoint } = await writer.post('/v1/webhook-endpoints', pull);
    const path = `/v1/webhook-endpoints/${String(endpoint['id'])}`;
    await book(database, clinic, { startsAt });
    await remindAt(database, before(startsAt, 3));
    expect(await reader.get(`${path}/queue`)).toMatchObject(refused);
    // Nor by having them no longer named, and then reading what still waits.
    expect(await reader.patch(path, { events: ['appointment.*'] })).toMatchObject(refused);
    const { body: queue } = await writer.get(`${path}/queue`);
    expect(queue['items']).toHaveLength(1);
    await writer.patch(path, { events: ['appointment.*'] });
    expect(await reader.get(`${path}/queue`)).toMatchObject(refused);
    const [event] = await storedEvents(database, { tenantId, type: name });
    expect(await reader.get(`/v1/webhook-events/${event?.id}`)).toMatchObject(refused);
    expect(await writer.get(`/v1/webhook-events/${event?.id}`)).toMatchObject({ status: 200 });
  });
});
