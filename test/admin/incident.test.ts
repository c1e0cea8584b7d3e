import { expect, test } from '@jest/globals';
import { createApiClient, appointmentIn } from '../support/api-client.ts';
import { aStartedCall } from '../calls/call-builders.ts';
import { bookingBody, inHours } from '../support/clinic.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { until } from '../support/until.ts';
import { adminWith, answerOf, type Json } from './admin-runs.ts';
import { readsOfKey } from './reads-of-key.ts';

const api = await suiteApi();
const { client, clinic, database } = api;
const admin = adminWith({
  DATABASE_URL: api.databaseUrl,
  SERVICE_MODE: 'test',
  PHONE_HASH_KEY: Buffer.alloc(32, 7).toString('base64'),
  ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('base64'),
  ADMIN_ACTOR: 'ana',
});

async function booked(hour: number, patientName: string) {
  return appointmentIn(
    await client.post('/v1/appointments', bookingBody(clinic, inHours(hour), { patientName })),
  );
}

test('the patients that a leaked key saw or changed are listed with when and how, and no others', async () => {
  const seen = await booked(30, '=Ana "Seen"');
  const changed = await booked(32, 'Rui Changed');
  await booked(34, 'Eva Untouched');
  const callId = await aStartedCall(client, { fromNumber: '+351961112223' });
  const leaked = createApiClient(api.url, await api.keyOf());
  const keyId = String((await leaked.get('/v1/api-keys/me')).body['id']);
  await leaked.get(`/v1/appointments/${seen.id}`);
  await leaked.patch(`/v1/appointments/${changed.id}`, { patientNotes: 'changed by the thief' });
  await leaked.get(`/v1/calls/${callId}`);
  await leaked.post('/v1/api-keys', { name: 'kept by the thief', preset: 'pms' });
  await until('the access log', async () => (await readsOfKey(database, keyId)) >= 3);

  const report = await answerOf(admin('incident', '--key', keyId));
  expect(report).toMatchObject({ actor: `key:${keyId}`, tenantId: clinic.tenantId });
  const patients = report['patients'] as Json[];
  expect(patients.map(({ appointmentId, callId: call }) => String(appointmentId ?? call)).toSorted()).toEqual(
    [seen.id, changed.id, callId].toSorted(),
  );
  expect(patients).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        appointmentId: seen.id,
        patientName: '=Ana "Seen"',
        actions: ['appointment.read'],
      }),
      expect.objectContaining({
        appointmentId: changed.id,
        actions: expect.arrayContaining(['appointment.updated']),
        patientPhoneHash: changed.patientPhoneHash,
      }),
      expect.objectContaining({ callId, fromNumber: '+351961112223', patientName: null }),
    ]),
  );
  expect(report['actions']).toMatchObject([{ action: 'api_key.created' }]);

  const csv = await admin('incident', '--key', keyId, '--csv');
  const lines = csv.stdout.trimEnd().split('\r\n');
  expect(lines).toHaveLength(4);
  expect(lines[0]).toMatch(/^tenantId,appointmentId,callId,patientName,/);
  expect(csv.stdout).toContain(`"'=Ana ""Seen"""`);

  const audited = await database
    .em()
    .execute<{ actor: string }[]>(`SELECT actor FROM audit_event WHERE action = 'incident.listed'`);
  expect(audited).toEqual([{ actor: 'operator:ana' }, { actor: 'operator:ana' }]);
});

test('changes outside the time are left out; a view shortly before counts, because repeats are not recorded', async () => {
  const appointment = await booked(40, 'Ivo Early');
  const key = createApiClient(api.url, await api.keyOf());
  const keyId = String((await key.get('/v1/api-keys/me')).body['id']);
  await key.patch(`/v1/appointments/${appointment.id}`, { patientNotes: 'early' });
  await until('the access log', async () => (await readsOfKey(database, keyId)) >= 1);
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  const since = await answerOf(admin('incident', '--key', keyId, '--since', inAnHour));
  expect(since['patients']).toMatchObject([{ appointmentId: appointment.id, actions: ['appointment.read'] }]);
  const before = new Date(Date.now() - 3_600_000).toISOString();
  const until_ = await answerOf(admin('incident', '--key', keyId, '--until', before));
  expect(until_['patients']).toEqual([]);
});

test('one of both is named, and it exists', async () => {
  const neither = await admin('incident');
  expect([neither.exitCode, neither.stderr]).toEqual([2, expect.stringContaining('--key or --person')]);
  const unknown = await admin('incident', '--person', crypto.randomUUID());
  expect([unknown.exitCode, unknown.stderr]).toEqual([1, expect.stringContaining('person')]);
});
