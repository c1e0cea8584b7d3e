import { expect, test } from '@jest/globals';
import { aStartedCall } from '../calls/call-builders.ts';
import { linkTo, uploadTo } from '../calls/recording-builders.ts';
import { AuditEventEntity, type AuditEventRow } from '../../db/entities/audit-event.entity.ts';
import { createApiClient, type ApiAnswer, type ApiClient } from '../support/api-client.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { aClinic, bookingBody, inHours, type TestClinic } from '../support/clinic.ts';

const api = await suiteApi();

/** A clinic that nothing was done to yet but that it got a key. */
async function aFreshClinic(): Promise<{ clinic: TestClinic; client: ApiClient; actor: string }> {
  const clinic = await aClinic(api.database);
  const client = createApiClient(api.url, await api.keyOf({ tenantId: clinic.tenantId }));
  const [{ subjectId } = { subjectId: null }] = await auditOf(clinic.tenantId);
  return { clinic, client, actor: `key:${subjectId}` };
}

function auditOf(tenantId: string): Promise<AuditEventRow[]> {
  return api.database.em().find(AuditEventEntity, { tenantId }, { orderBy: { id: 'asc' } });
}

/** What was written down of a clinic since it got its key, in order. */
async function sinceTheKey({ tenantId }: TestClinic): Promise<AuditEventRow[]> {
  const [, ...rows] = await auditOf(tenantId);
  return rows;
}

function requestIdOf({ headers }: ApiAnswer): string | null {
  return headers.get('x-request-id');
}

test('what a key does to endpoints, secrets and settings is written down: who, what, to what, in which request', async () => {
  const { clinic, client, actor } = await aFreshClinic();
  const created = await client.post('/v1/webhook-endpoints', {
    url: 'https://pms.example/hook?token=s3cret',
  });
  const id = String(created.body['id']);
  const path = `/v1/webhook-endpoints/${id}`;
  const answers = [
    created,
    await client.patch(path, { description: 'of Ana Martins', events: ['appointment.*'] }),
    await client.patch(path, { url: 'https://elsewhere.example/hook' }),
    await client.post(`${path}/rotate-secret`, { overlapSeconds: 60 }),
    await client.post(`${path}/test-events`, {}),
    await client.patch(path, { enabled: false }),
    await client.send('POST', `${path}/enable`),
    await client.delete(path),
    await client.patch('/v1/tenants/me', { name: 'Clínica Nova', config: { voice: 'ines' } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 200, 202, 200, 200, 204, 200]);
  const rows = await sinceTheKey(clinic);
  expect(rows.map(({ action, subjectId, details }) => ({ action, subjectId, details }))).toEqual([
    { action: 'endpoint.created', subjectId: id, details: { events: ['*'] } },
    {
      action: 'endpoint.updated',
      subjectId: id,
      details: { fields: ['events', 'description'], status: 'active' },
    },
    {
      action: 'endpoint.updated',
      subjectId: id,
      details: {
        fields: ['url'],
        url: { from: 'https://pms.example/hook?…', to: 'https://elsewhere.example/hook' },
        status: 'active',
      },
    },
    { action: 'endpoint.secret_rotated', subjectId: id, details: { overlapSeconds: 60 } },
    {
      action: 'endpoint.tested',
      subjectId: id,
      details: { deliveryId: answers[4]?.body['deliveryId'], exampleOf: null },
    },
    { action: 'endpoint.updated', subjectId: id, details: { fields: ['status'], status: 'disabled' } },
    { action: 'endpoint.enabled', subjectId: id, details: { from: 'disabled' } },
    { action: 'endpoint.deleted', subjectId: id, details: {} },
    {
      action: 'tenant.updated',
      subjectId: clinic.tenantId,
      details: { fields: ['name', 'config.voice'], status: 'trial' },
    },
  ]);
  expect(rows.map((row) => [row.actor, row.requestId])).toEqual(
    answers.map((answer) => [actor, requestIdOf(answer)]),
  );
});

test('who asked for the link of a recording is written down, and who replaced or erased it', async () => {
  const { clinic, client, actor } = await aFreshClinic();
  const callId = await aStartedCall(client);
  await client.get(`/v1/calls/${callId}`);
  expect((await uploadTo(client, callId)).status).toBe(201);
  const url = new URL(await linkTo(client, callId));
  const recordingId = url.pathname.split('/').at(-1);
  const expiresAt = new Date(Number(url.searchParams.get('expires'))).toISOString();
  await uploadTo(client, callId, { audio: Buffer.from('another'), replace: true });
  await client.delete(`/v1/calls/${callId}/recording`);
  await client.delete(`/v1/calls/${callId}/recording`);
  const rows = await sinceTheKey(clinic);
  expect(rows.map((row) => [row.actor, row.action, row.subjectId, row.details])).toEqual([
    [actor, 'recording.link_issued', callId, { recordingId, expiresAt }],
    [actor, 'recording.replaced', callId, { recordingId, by: expect.any(String) }],
    [actor, 'recording.erased', callId, { recordingId: rows[1]?.details['by'] }],
  ]);
});

test('what changes nothing, what is refused and what is only read leaves no entry', async () => {
  const { clinic, client } = await aFreshClinic();
  const { body } = await client.post('/v1/webhook-endpoints', { url: 'https://pms.example/hook' });
  const path = `/v1/webhook-endpoints/${String(body['id'])}`;
  await client.send('POST', `${path}/enable`);
  await client.patch(path, { url: 'https://pms.example/hook', enabled: true });
  await client.patch('/v1/tenants/me', {});
  await client.patch('/v1/tenants/me', { name: '' });
  await client.get(path);
  await client.get('/v1/webhook-endpoints');
  expect((await sinceTheKey(clinic)).map(({ action }) => action)).toEqual(['endpoint.created']);
});

test('a repeated request makes one entry, and a refused one none', async () => {
  const { clinic, client } = await aFreshClinic();
  const post = (url: string) => client.post('/v1/webhook-endpoints', { url }, { 'idempotency-key': 'once' });
  const statuses = [
    await post('https://a.example'),
    await post('https://a.example'),
    await post('https://b.example'),
  ];
  expect(statuses.map(({ status }) => status)).toEqual([201, 201, 422]);
  expect(await sinceTheKey(clinic)).toHaveLength(1);
});

test('bookings write nothing down, and no entry holds a patient or a secret', async () => {
  const { clinic, client } = await aFreshClinic();
  const booked = await client.post('/v1/appointments', bookingBody(clinic, inHours(24)));
  await client.patch(`/v1/appointments/${String(booked.body['id'])}`, { status: 'attended' });
  expect(await sinceTheKey(clinic)).toEqual([]);
  const all = JSON.stringify(await api.database.em().find(AuditEventEntity, {}));
  for (const personal of ['Ana', '+351', 's3cret', 'whsec_', 'svc_test_', 'Clínica', 'ines'])
    expect(all).not.toContain(personal);
});
