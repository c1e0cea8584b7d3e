import { expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { holdSlot } from '../../commands/appointments/holds/hold-slot.ts';
import { createApiKey } from '../../commands/clinic/create-api-key.ts';
import { PersonEntity } from '../../db/entities/people/person.entity.ts';
import { insertRequests } from '../../db/requests/request-log.ts';
import { anEndpoint, aClinic, asOperator, book, change, inHours } from '../support/clinic.ts';
import { suiteDatabase } from '../support/database.ts';
import { anEventFor, attempted } from '../webhooks/recorded-attempts.ts';
import { adminWith, answerOf, idOf, type Json } from './admin-runs.ts';

const NAMESPACE = 'clinics';
/** Of what was skipped while something was off that no longer is. */
const SINCE_BACK = 'at that time, its endpoint was disabled or the clinic was canceled';

const database = await suiteDatabase();
const clinic = await aClinic(database);
const { tenantId, professionalIds, serviceTypeId } = clinic;
const admin = adminWith({
  DATABASE_URL: database.url,
  SERVICE_MODE: 'test',
  TEMPORAL_NAMESPACE: NAMESPACE,
  TEMPORAL_UI_URL: 'https://temporal.example/',
});

test('any id is found, by itself or in the id of a workflow, with whose it is and what shows more', async () => {
  const endpointId = await anEndpoint(database, tenantId);
  const delivery = await anEventFor(database, { tenantId, endpointId });
  const appointment = await book(database, clinic);
  const expected: [string, string, string, string][] = [
    [tenantId, 'tenant', tenantId, `tenant show --tenant ${tenantId}`],
    [
      professionalIds[0] ?? '',
      'professional',
      professionalIds[0] ?? '',
      `professional list --tenant ${tenantId}`,
    ],
    [serviceTypeId, 'service', serviceTypeId, `service list --tenant ${tenantId}`],
    [endpointId, 'endpoint', endpointId, `delivery list --endpoint ${endpointId}`],
    [delivery.id.toUpperCase(), 'delivery', delivery.id, `delivery show --delivery ${delivery.id}`],
    [delivery.eventId, 'event', delivery.eventId, `delivery list --event ${delivery.eventId}`],
    [String(delivery.workflowId), 'event', delivery.eventId, `delivery list --event ${delivery.eventId}`],
    [
      `appointment:${appointment.id}`,
      'appointment',
      appointment.id,
      `appointment show --appointment ${appointment.id}`,
    ],
  ];
  for (const [typed, kind, id, more] of expected) {
    expect(await answerOf(admin('find', typed))).toEqual({
      kind,
      id,
      tenantId,
      tenantName: 'Clínica da Luz',
      more,
      ...(kind === 'delivery' && { situation: 'no worker has claimed it from the outbox' }),
    });
    if (!more.startsWith('professional') && !more.startsWith('service')) {
      expect(await admin(...more.split(' '))).toMatchObject({ exitCode: 0 });
    }
  }
});

test('so are ids that agents, callers and the audit name: a hold, a request, a person', async () => {
  const em = database.em();
  const slot = { tenantId, professionalId: professionalIds[0] ?? '', serviceTypeId, startsAt: inHours(90) };
  const held = await database.write((inner) =>
    holdSlot(inner, { ...slot, mayBackdate: false, respectHours: false }, asOperator()),
  );
  const { row: key } = await database.write((inner) =>
    createApiKey(
      inner,
      { tenantId, name: 'PMS', scopes: ['tenant:read'], expiresAt: null, mode: 'test' },
      asOperator(),
    ),
  );
  const [requestId, personId] = [uuidv7(), uuidv7()];
  const asked = { method: 'GET', route: '/v1/calls', status: 200, error: null, durationMs: 3 };
  await insertRequests(em, [
    { ...asked, id: requestId, tenantId, keyId: key.id, fields: [], wrongFields: [] },
  ]);
  const at = new Date();
  const person = { issuer: 'https://id.example', subject: 'rita', name: 'Rita', role: 'reception' } as const;
  await em.insert(PersonEntity, {
    ...person,
    id: personId,
    tenantId,
    createdAt: at,
    signedInAt: at,
    blockedAt: null,
  });
  for (const [typed, kind, more] of [
    [held.id, 'hold', 'GET /v1/slot-holds/{id} with a key of the clinic'],
    [requestId, 'request', `the page /support/requests/${requestId} of the dashboard`],
    [`person:${personId}`, 'person', `person list --tenant ${tenantId}`],
  ] as const)
    expect(await answerOf(admin('find', typed))).toMatchObject({ kind, tenantId, more });
});

test('of a delivery that has ended it is told how, and of an open one what it waits for', async () => {
  const place = { tenantId: clinic.tenantId, endpointId: await anEndpoint(database, clinic.tenantId) };
  const [received, failed, refused, skipped] = [
    await anEventFor(database, place),
    await anEventFor(database, place),
    await anEventFor(database, place),
    await anEventFor(database, place),
  ];
  const refusal = 'SecretUnreadableError, The value was encrypted with the key k1';
  await database
    .em()
    .execute(`UPDATE outbox SET failures = 1, last_error = ? WHERE message ->> 'deliveryId' = ?`, [
      refusal,
      refused.id,
    ]);
  await attempted(database, received, { number: 1, status: 503 });
  await attempted(database, received, { number: 2, status: 200 });
  await attempted(database, failed, { number: 6, status: 410, errorClass: 'http_4xx' });
  const situations = async () => {
    const found = [received, failed, refused, skipped].map(({ id }) => answerOf(admin('find', id)));
    return (await Promise.all(found)).map(({ situation }) => situation);
  };
  expect((await situations()).slice(0, 3)).toEqual([
    'received at attempt 2',
    'failed after 6 attempts; the last attempt: endpoint refused the event (http_4xx, 410)',
    refusal,
  ]);
  const ofSkipped = async (...words: string[]) => {
    await answerOf(admin('endpoint', ...words, '--endpoint', place.endpointId));
    return (await situations()).at(-1);
  };
  expect(await ofSkipped('disable')).toBe('skipped: its endpoint is disabled');
  expect(await ofSkipped('enable')).toBe(`skipped: ${SINCE_BACK}`);
  const setStatus = (status: string) =>
    answerOf(admin('tenant', 'update', '--tenant', clinic.tenantId, '--status', status));
  await setStatus('canceled');
  expect((await situations()).at(-1)).toBe('skipped: the clinic is canceled');
  await setStatus('active');
  expect((await situations()).at(-1)).toBe(`skipped: ${SINCE_BACK}`);
  expect(await ofSkipped('delete')).toBe('skipped: its endpoint was deleted');
});

test.each([uuidv7(), 'appointment', `evt_${'0'.repeat(32)}`])('nothing has the id %s', async (id) => {
  const run = await admin('find', id);
  expect(run).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining(id) });
});

test('an appointment shows its moves, every delivery, who did what and where its workflows are, and no patient', async () => {
  const endpointId = await anEndpoint(database, tenantId, ['appointment.rescheduled']);
  const key = idOf(await answerOf(admin('key', 'create', '--tenant', tenantId, '--name', 'PMS')));
  const byKey = { ...asOperator(), actor: `key:${key}`, requestId: uuidv7() };
  const booked = await book(database, clinic, {
    startsAt: inHours(50),
    patientName: 'Beatriz Antunes',
    patientNotes: 'afraid of needles',
    metadata: { nickname: 'Bia' },
  });
  const { replacement } = await change(database, clinic, booked.id, { startsAt: inHours(52) }, byKey);
  const middle = replacement?.id ?? '';
  const last = await change(database, clinic, middle, { startsAt: inHours(54) });

  const run = await admin('appointment', 'show', '--appointment', middle);
  const shown = await answerOf(Promise.resolve(run));
  expect(shown).toMatchObject({
    appointment: { id: middle, status: 'rescheduled', rescheduledFromId: booked.id },
    clinic: { id: tenantId, name: 'Clínica da Luz' },
    workflowId: `appointment:${middle}`,
  });
  expect((shown['moves'] as Json[]).map(({ id, status }) => [id, status])).toEqual([
    [booked.id, 'rescheduled'],
    [middle, 'rescheduled'],
    [last.replacement?.id, 'confirmed'],
  ]);
  const timeline = shown['timeline'] as Json[];
  expect(timeline).toContainEqual(
    expect.objectContaining({ actorName: 'key “PMS”', requestId: byKey.requestId }),
  );
  expect(timeline).toContainEqual(expect.objectContaining({ actorName: 'operator', kind: 'rescheduled' }));
  const deliveries = shown['deliveries'] as Json[];
  expect(deliveries.filter((delivery) => delivery['endpointId'] === endpointId)).not.toEqual([]);
  for (const { workflowId, workflowUrl } of deliveries) {
    const path = `namespaces/${NAMESPACE}/workflows/${encodeURIComponent(String(workflowId))}`;
    expect(workflowUrl).toBe(`https://temporal.example/${path}`);
  }
  for (const secret of ['Beatriz', 'needles', 'Bia', 'patientName', 'patientPhoneHash']) {
    expect(run.stdout).not.toContain(secret);
  }
});
