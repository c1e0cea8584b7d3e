import { describe, expect, test } from '@jest/globals';
import { MailFailure, type Mailer } from '../../adapters/mail/mailer.ts';
import { erasePatient } from '../../commands/patients/erase-patient.ts';
import { expectDocumented } from '../docs/documented-event.ts';
import { createApiClient } from '../support/api-client.ts';
import { anEndpoint, asOperator, book, change, inHours } from '../support/clinic.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { storedEvents } from '../support/stored/stored-events.ts';
import { testLogger } from '../support/test-logger.ts';
import { until } from '../support/until.ts';
import { watchAcknowledgements } from '../../worker/acknowledgement-watch.ts';
import { createImporter } from './import/imported-visits.ts';
import { aWatchedClinic } from './watched-clinic.ts';

const api = await suiteApi();
const { database } = api;

const missing = (id: string, version = 1) => ({ id, version, state: 'missing', reason: null });

describe('a version that is not acknowledged in time', () => {
  test('is reported once, with an event and a notification', async () => {
    const { clinic, client, ...pms } = await aWatchedClinic(api);
    const endpointId = await anEndpoint(database, clinic.tenantId);
    const id = await pms.book();
    await pms.check(14);
    expect(await pms.reported()).toEqual([]);
    await pms.check(16);
    await pms.check(60);
    await pms.changeWithin(5);
    await pms.check(120);
    expect(await pms.reported()).toEqual([missing(id)]);
    const [event] = await storedEvents(database, {
      tenantId: clinic.tenantId,
      type: 'appointment.unacknowledged',
    });
    expectDocumented('appointment.unacknowledged', event?.body ?? '');
    expect(JSON.parse(event?.body ?? '')).toMatchObject({
      data: { actor: { type: 'system', id: null }, requestId: null },
    });
    const { body } = await client.get('/v1/notifications');
    expect(body['items']).toMatchObject([
      { kind: 'appointment_unacknowledged', endpointId: null, appointmentId: id, emailedAt: null },
    ]);
    const deliveries = await client.get('/v1/webhook-deliveries', { endpointId });
    expect(JSON.stringify(deliveries.body)).toContain('appointment.unacknowledged');
    expect((await client.get(`/v1/appointments/${id}`)).body).toMatchObject({ version: 1 });
  });

  test('is not reported when it was written, or a later version is', async () => {
    const { client, ...pms } = await aWatchedClinic(api);
    const [written, edited] = [await pms.book(), await pms.book()];
    await pms.acknowledge(written, 1);
    await client.patch(`/v1/appointments/${edited}`, { patientNotes: 'Prefers mornings' });
    await pms.acknowledge(edited, 2);
    await pms.check(16);
    expect(await pms.reported()).toEqual([]);
    await client.patch(`/v1/appointments/${written}`, { patientNotes: 'Prefers evenings' });
    await pms.check(32);
    expect(await pms.reported()).toEqual([missing(written, 2)]);
  });

  test('is reported although an older version was acknowledged', async () => {
    const { client, ...pms } = await aWatchedClinic(api);
    const id = await pms.book();
    await client.patch(`/v1/appointments/${id}`, { patientNotes: 'Prefers mornings' });
    await pms.acknowledge(id, 1);
    await pms.check(16);
    expect(await pms.reported()).toEqual([missing(id, 2)]);
  });

  test('is reported for two that are due at once', async () => {
    const pms = await aWatchedClinic(api);
    const ids = [await pms.book(), await pms.book()];
    await pms.check(16);
    expect((await pms.reported()).map(({ id }) => id)).toEqual(ids);
  });

  test('is found in all pages, also when many were written at one instant', async () => {
    const { clinic, ...pms } = await aWatchedClinic(api);
    const ids = await Promise.all(Array.from({ length: 5 }, () => pms.book()));
    await database.em().execute(
      `INSERT INTO calendar_entry
         (id, tenant_id, professional_id, patient_name, patient_phone_hash, name_hash, name_tokens, starts_at, ends_at,
           block_from, block_until, blocks, source, updated_at)
       SELECT gen_random_uuid(), tenant_id, professional_id, patient_name, patient_phone_hash, name_hash, name_tokens,
         starts_at, ends_at, block_from, block_until, false, source, updated_at
       FROM calendar_entry, generate_series(1, 450) WHERE id = ?`,
      [ids[0]],
    );
    await pms.check(16);
    expect((await pms.reported()).map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(clinic.tenantId).toBeDefined();
  });
});

describe('every way of writing is watched', () => {
  test('bookings, edits, check-ins, cancellations, no-shows and reinstatements', async () => {
    const { clinic, client, ...pms } = await aWatchedClinic(api);
    const booked = await book(database, clinic, { startsAt: inHours(50) });
    const past = { mayBackdate: true };
    const [named, come, cancelled] = [await pms.book(), await pms.book(), await pms.book()];
    const { id: missed } = await book(database, clinic, { startsAt: inHours(-50), ...past });
    await client.patch(`/v1/appointments/${named}`, { patientName: 'Ana Lopes' });
    await client.patch(`/v1/appointments/${come}`, { status: 'attended' });
    await client.delete(`/v1/appointments/${cancelled}`);
    await change(database, clinic, missed, { status: 'no_show', ...past });
    const again = await client.post(`/v1/appointments/${cancelled}/reinstate`, {});
    const { id: reinstated } = again.body['replacement'] as { id: string };
    await pms.check(16);
    const wanted = [
      missing(booked.id),
      missing(named, 2),
      missing(come, 2),
      missing(missed, 2),
      missing(reinstated),
    ];
    const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
    expect((await pms.reported()).toSorted(byId)).toEqual(wanted.toSorted(byId));
  });

  test('of a move the replacement, and not the original', async () => {
    const { client, ...pms } = await aWatchedClinic(api);
    const id = await pms.book();
    const moved = await client.patch(`/v1/appointments/${id}`, { startsAt: inHours(1900).toISOString() });
    const { id: replacement } = moved.body['replacement'] as { id: string };
    await pms.check(16);
    expect(await pms.reported()).toEqual([missing(replacement)]);
  });
});

describe('is not watched', () => {
  test('what was written before the setting was turned on', async () => {
    const { client, ...pms } = await aWatchedClinic(api, null);
    const before = await pms.book();
    const edited = await pms.book();
    await pms.check(60);
    await pms.changeWithin(15);
    await client.patch(`/v1/appointments/${edited}`, { patientNotes: 'Prefers mornings' });
    const after = await pms.book();
    await pms.check(120);
    expect(await pms.reported()).toEqual([missing(edited, 2), missing(after)]);
    expect((await client.get(`/v1/appointments/${before}`)).body).toMatchObject({ acknowledgement: null });
    await pms.changeWithin(null);
    await pms.book();
    await pms.check(180);
    await pms.changeWithin(5);
    await pms.check(240);
    expect(await pms.reported()).toHaveLength(2);
  });

  test.each([false, true])('what an import writes, with events: %s', async (events) => {
    const { clinic, client, ...pms } = await aWatchedClinic(api);
    const { aVisit, bringIn } = createImporter(client, clinic);
    const status = 'confirmed';
    const plain = aVisit('plain', { status, startsAt: inHours(200).toISOString() });
    const moved = aVisit('moved', { status, startsAt: inHours(202).toISOString() });
    const grown = aVisit('grown', { status, startsAt: inHours(204).toISOString() });
    const known = await pms.book({ externalId: 'known' });
    await pms.acknowledge(known, 1);
    const shown = (await client.get(`/v1/appointments/${known}`)).body;
    await bringIn([plain, moved, grown], { events });
    const changed = [
      { ...moved, startsAt: inHours(206).toISOString() },
      { ...grown, endsAt: inHours(205).toISOString() },
      { ...aVisit('known', { status, startsAt: shown['startsAt'] }), patientName: 'Ana Lopes' },
    ];
    expect((await bringIn(changed, { events })).map(({ result }) => result)).toEqual(
      changed.map(() => 'updated'),
    );
    await pms.check(16);
    expect(await pms.reported()).toEqual([]);
    const [{ id = '' } = {}] = await bringIn([plain]);
    await client.patch(`/v1/appointments/${id}`, { patientNotes: 'Prefers mornings' });
    await pms.check(32);
    expect(await pms.reported()).toEqual([missing(id, 2)]);
  });

  test('what a key writes that an endpoint passes over', async () => {
    const { clinic, client, ...pms } = await aWatchedClinic(api);
    const own = createApiClient(api.url, await api.keyOf({ tenantId: clinic.tenantId }));
    const { body: key } = await own.get('/v1/api-keys/me');
    const endpointId = await anEndpoint(database, clinic.tenantId, ['call.*']);
    await database
      .em()
      .execute('UPDATE webhook_endpoint SET ignore_actors = ARRAY[?]::uuid[] WHERE id = ?', [
        key['id'],
        endpointId,
      ]);
    const [ofPms, ofClinic] = [await pms.book({}, own), await pms.book()];
    await pms.check(16);
    expect(await pms.reported()).toEqual([missing(ofClinic)]);
    await client.patch(`/v1/appointments/${ofPms}`, { patientNotes: 'Prefers mornings' });
    await pms.check(32);
    expect(await pms.reported()).toEqual([missing(ofClinic), missing(ofPms, 2)]);
  });

  test('what erasing a patient leaves', async () => {
    const { clinic, ...pms } = await aWatchedClinic(api);
    await pms.acknowledge(await pms.book({ patientExternalId: 'patient-1' }), 1);
    await erasePatient(
      { database, context: asOperator() },
      { patient: { tenantId: clinic.tenantId, externalId: 'patient-1' } },
    );
    await pms.check(16);
    expect(await pms.reported()).toEqual([]);
  });

  test('a clinic that is canceled', async () => {
    const { clinic, ...pms } = await aWatchedClinic(api);
    await pms.book();
    await database.em().execute(`UPDATE tenant SET status = 'canceled' WHERE id = ?`, [clinic.tenantId]);
    await pms.check(16);
    expect(await pms.reported()).toEqual([]);
  });
});

describe('a refusal', () => {
  test('of the latest version is reported at once with its reason, and only once', async () => {
    const { clinic, ...pms } = await aWatchedClinic(api);
    const id = await pms.book();
    await pms.acknowledge(id, 1, { state: 'refused', reason: 'Patient unknown' });
    await pms.acknowledge(id, 1, { state: 'refused', reason: 'Chair unknown' });
    await pms.check(16);
    const reported = [{ id, version: 1, state: 'refused', reason: 'Patient unknown' }];
    expect(await pms.reported()).toEqual(reported);
    await pms.acknowledge(id, 1);
    await pms.acknowledge(id, 1, { state: 'refused' });
    expect(await pms.reported()).toEqual(reported);
    const messages = (await pms.notifications()).map((each) => JSON.stringify(each));
    expect(messages.join()).not.toContain('unknown');
    await erasePatient(
      { database, context: asOperator() },
      { patient: { tenantId: clinic.tenantId, patientPhoneHashes: await phonesOf(id), name: null } },
    );
    expect(await pms.reported()).toEqual([{ ...reported[0], reason: null }]);
  });

  test('after a report of the same version is not reported again', async () => {
    const pms = await aWatchedClinic(api);
    const id = await pms.book();
    await pms.check(16);
    await pms.acknowledge(id, 1, { state: 'refused', reason: 'Patient unknown' });
    expect(await pms.reported()).toEqual([missing(id)]);
  });

  test('of an older version, or without the setting, is only stored', async () => {
    const { client, ...pms } = await aWatchedClinic(api);
    const id = await pms.book();
    await client.patch(`/v1/appointments/${id}`, { patientNotes: 'Prefers mornings' });
    await pms.acknowledge(id, 1, { state: 'refused' });
    await pms.changeWithin(null);
    await pms.acknowledge(id, 2, { state: 'refused' });
    await pms.check(16);
    expect(await pms.reported()).toEqual([]);
    expect(await pms.notifications()).toEqual([]);
  });
});

async function phonesOf(id: string): Promise<string[]> {
  const rows = await database
    .em()
    .execute<{ hash: string }[]>('SELECT patient_phone_hash AS hash FROM appointment WHERE id = ?', [id]);
  return rows.map(({ hash }) => hash);
}

describe('the mail', () => {
  test('goes out at once, and the next one after an hour', async () => {
    const pms = await aWatchedClinic(api);
    const refuse = async () => pms.acknowledge(await pms.book(), 1, { state: 'refused', reason: 'Unknown' });
    await refuse();
    await refuse();
    await pms.mail(0);
    await refuse();
    await pms.mail(1);
    await pms.mail(59);
    expect(pms.sent).toHaveLength(1);
    await refuse();
    await refuse();
    await pms.mail(61);
    await pms.mail(62);
    await pms.mail(200);
    expect(pms.sent.map(({ text }) => /\d+(?= marca)/.exec(text)?.[0])).toEqual(['2', '3']);
    expect(pms.sent.map(({ text }) => text).join()).not.toContain('Unknown');
    const notifications = await pms.notifications();
    expect(notifications.map(({ mail }) => mail)).toEqual(Array.from({ length: 5 }, () => 'sent'));
    expect(new Set(notifications.map(({ emailedAt }) => emailedAt?.getTime())).size).toBe(2);
    expect(pms.sent[0]?.id).toBe(notifications[0]?.id);
  });

  test('says why none was sent, without a server or an address', async () => {
    const { clinic, ...pms } = await aWatchedClinic(api);
    const refuse = async () => pms.acknowledge(await pms.book(), 1, { state: 'refused' });
    await refuse();
    await pms.mail(0, null);
    await database.em().execute('UPDATE tenant SET email = NULL WHERE id = ?', [clinic.tenantId]);
    await refuse();
    await pms.mail(1);
    expect((await pms.notifications()).map(({ mail }) => mail)).toEqual(['no_server', 'no_address']);
    expect(pms.sent).toEqual([]);
  });

  test('waits when the mail server does not answer, and counts what was reported meanwhile', async () => {
    const pms = await aWatchedClinic(api);
    const refuse = async () => pms.acknowledge(await pms.book(), 1, { state: 'refused' });
    const silent: Mailer = {
      send: () => Promise.reject(new MailFailure('no answer', false)),
      close: () => undefined,
    };
    await refuse();
    await pms.mail(300, silent);
    await refuse();
    await pms.mail(305);
    expect(pms.sent).toEqual([]);
    await pms.mail(311);
    expect(pms.sent).toMatchObject([{ text: expect.stringContaining('2 marcações') }]);
  });
});

test('workers look by themselves', async () => {
  const pms = await aWatchedClinic(api);
  const id = await pms.book();
  const stopping = new AbortController();
  const clock = () => new Date(Date.now() + 16 * 60_000);
  const options = { database, mailer: null, logger: testLogger(), clock };
  const workers = [1, 2].map(() => watchAcknowledgements(options, stopping.signal));
  await until('the mail', async () => (await pms.notifications())[0]?.mail === 'no_server');
  stopping.abort();
  await Promise.all(workers);
  expect(await pms.reported()).toEqual([missing(id)]);
});
