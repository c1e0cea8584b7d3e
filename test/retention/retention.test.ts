import { afterEach, expect, test } from '@jest/globals';
import { createRetentionActivities } from '../../activities/retention.activities.ts';
import { pruneStep, type PruneStep } from '../../commands/retention/prune-step.ts';
import { resendDelivery } from '../../commands/webhooks/sending-again/resend-delivery.ts';
import { takeDueRemovals } from '../../db/calls/recordings.ts';
import { insertPatientReads, listPatientReads } from '../../db/patient-reads/patient-reads.ts';
import { firstIdAt } from '../../domain/first-id.ts';
import { RETENTION_CLASSES, STANDARD_RETENTION, type RetentionClass } from '../../domain/retention.ts';
import { CLINIC_QUEUE, RETENTION_WORKFLOW } from '../../domain/temporal-names.ts';
import type { RetentionResult } from '../../workflows/retention.workflow.ts';
import { aSpeech, aStartedCall } from '../calls/call-builders.ts';
import { linkTo, open, uploadTo } from '../calls/recording-builders.ts';
import { pagesRead } from '../db/plans/pages-read.ts';
import { appointmentIn, createApiClient } from '../support/api-client.ts';
import { startTestApi } from '../support/servers/api-server.ts';
import { aClinic, anEndpoint, asOperator, bookingBody, inHours } from '../support/clinic.ts';
import { anEventFor, attempted } from '../webhooks/recorded-attempts.ts';
import { startTimeSkipping } from '../workflows/time-skipping.ts';
import { storedEvents } from '../support/stored/stored-events.ts';
import { forSuite } from '../support/for-suite.ts';

type Json = Record<string, unknown>;

const [api, time] = await Promise.all([forSuite(startTestApi()), forSuite(startTimeSkipping())]);
const { database, client, clinic } = api;
const { tenantId } = api.clinic;
const endpointId = await anEndpoint(api.database, api.clinic.tenantId);
afterEach(() => api.database.em().execute('TRUNCATE webhook_event, call CASCADE'));

/** In every table that retention looks at. */
async function daysPass(days: number): Promise<void> {
  const times = {
    webhook_event: ['created_at'],
    webhook_delivery: ['created_at', 'updated_at'],
    webhook_attempt: ['started_at'],
    call: ['started_at'],
    call_event: ['occurred_at'],
    call_recording: ['uploaded_at'],
  };
  for (const [table, columns] of Object.entries(times)) {
    const earlier = columns.map((column) => `${column} = ${column} - interval '${days} days'`);
    await api.database.em().execute(`UPDATE ${table} SET ${earlier.join()}`);
  }
}

const NOTHING: RetentionResult = {
  deliveries: 0,
  eventBodies: 0,
  responseExcerpts: 0,
  transcripts: 0,
  recordings: 0,
  audit: 0,
};

const ROWS_A_STEP = 2;

/** Everything that a run of the schedule does, without the run. */
async function retention(): Promise<RetentionResult> {
  const pruned = { ...NOTHING };
  for (const each of RETENTION_CLASSES) {
    let step: PruneStep = { pruned: 0, after: null, isFinished: false };
    while (!step.isFinished) {
      const { after } = step;
      const how = { days: STANDARD_RETENTION, limit: ROWS_A_STEP, actor: 'workflow:retention' };
      step = await pruneStep(api.database, { ...how, class: each, after });
      pruned[each] = (pruned[each] ?? 0) + step.pruned;
    }
  }
  return pruned;
}

let runs = 0;
/** A run of the schedule, as the worker does it. */
function scheduledRun(onPruned: (done: { class: RetentionClass }) => void = () => undefined) {
  runs += 1;
  const activities = createRetentionActivities({
    database,
    retention: STANDARD_RETENTION,
    onPruned,
    rowsAStep: ROWS_A_STEP,
  });
  const options = { taskQueue: CLINIC_QUEUE, workflowId: `retention-${runs}`, args: [] };
  return time.withActivities(
    CLINIC_QUEUE,
    activities,
    () => time.environment.client.workflow.execute(RETENTION_WORKFLOW, options) as Promise<RetentionResult>,
  );
}

/** An event whose delivery has succeeded, or whatever the receiver answered. */
async function aDelivery({ status = 200, number = 1 } = {}) {
  const delivery = await anEventFor(api.database, { tenantId: api.clinic.tenantId, endpointId });
  await attempted(api.database, delivery, { number, status });
  const say = `UPDATE webhook_attempt SET response_excerpt = 'received' WHERE delivery_id = ?`;
  await api.database.em().execute(say, [delivery.id]);
  return delivery;
}

function eventOf({ eventId }: { eventId: string }) {
  return api.client.get(`/v1/webhook-events/${eventId}`);
}

test('an event of which the last delivery ended 90 days ago has no body any more, and every page says so well', async () => {
  const { id: appointmentId } = appointmentIn(
    await client.post('/v1/appointments', bookingBody(clinic, inHours(24))),
  );
  const [delivery] = (await client.get('/v1/webhook-deliveries', { appointmentId })).body['items'] as Json[];
  const [id, eventId] = [String(delivery?.['id']), String(delivery?.['eventId'])];
  const row = { id, tenantId: clinic.tenantId, endpointId, eventType: 'appointment.created' } as const;
  await attempted(api.database, row as Parameters<typeof attempted>[1], { number: 6, status: 500 });
  await daysPass(89);
  expect(await retention()).toEqual(NOTHING);
  await daysPass(1);
  // And the event that says that the endpoint is failing.
  expect(await scheduledRun()).toEqual({ ...NOTHING, eventBodies: 2 });

  const event = await eventOf({ eventId });
  expect(event.body).toMatchObject({ id: eventId, type: 'appointment.created', tenant: null, data: null });
  expect(event.body['deliveries']).toHaveLength(1);
  expect((await client.get(`/v1/webhook-deliveries/${id}`)).body).toMatchObject({ status: 'failed' });
  const { items } = (await client.get(`/v1/appointments/${appointmentId}/timeline`)).body;
  expect((items as Json[]).map(({ kind }) => kind)).toEqual(['event', 'delivery', 'created']);
  const resent = await client.post(`/v1/webhook-deliveries/${id}/resend`, undefined);
  expect([resent.status, resent.body['error']]).toEqual([409, 'delivery_final']);
  const replayed = await client.post(`/v1/webhook-endpoints/${endpointId}/replay`, {
    since: '2000-01-01T00:00:00Z',
  });
  expect(replayed.body).toEqual({ deliveries: 0 });
});

test('what receivers answered goes after 30 days; the attempt stays', async () => {
  const delivery = await aDelivery();
  await daysPass(31);
  const younger = await aDelivery();
  expect(await retention()).toEqual({ ...NOTHING, responseExcerpts: 1 });
  const attemptsOf = async ({ id }: { id: string }) =>
    (await api.client.get(`/v1/webhook-deliveries/${id}`)).body['attempts'];
  expect(await attemptsOf(delivery)).toMatchObject([{ outcome: 'succeeded', responseExcerpt: null }]);
  expect(await attemptsOf(younger)).toMatchObject([{ responseExcerpt: 'received' }]);
});

test('deliveries that are open, or ended not so long ago, keep their events however old these are', async () => {
  const waiting = await anEventFor(api.database, { tenantId: api.clinic.tenantId, endpointId });
  const retried = await aDelivery({ status: 503 });
  const resentLater = await aDelivery();
  await daysPass(500);
  const again = await api.client.post(`/v1/webhook-deliveries/${resentLater.id}/resend`, undefined);
  await api.database
    .em()
    .execute(`UPDATE webhook_delivery SET status = 'failed', next_attempt_at = NULL WHERE id = ?`, [
      again.body['id'],
    ]);
  expect(await retention()).toEqual({ ...NOTHING, responseExcerpts: 2 });
  for (const kept of [waiting, retried, resentLater]) {
    expect((await eventOf(kept)).body).toMatchObject({ data: { score: 9 } });
  }
});

test('an event that someone is about to send again keeps its body', async () => {
  const delivery = await aDelivery();
  await daysPass(100);
  await api.database.em().transactional(async (em) => {
    await resendDelivery(em, { tenantId, deliveryId: delivery.id }, asOperator());
    expect(await retention()).toMatchObject({ eventBodies: 0 });
  });
  expect(await retention()).toMatchObject({ eventBodies: 0 });
  expect((await eventOf(delivery)).body).toMatchObject({ data: { score: 9 } });
});

test('the event about an erased patient has no body after 30 days', async () => {
  const patientExternalId = 'forget-me';
  await client.post('/v1/appointments', bookingBody(clinic, inHours(72), { patientExternalId }));
  expect((await client.post('/v1/patients/erase', { patientExternalId })).status).toBe(200);
  const [erased] = await storedEvents(api.database, { tenantId, type: 'patient.erased' });
  const dataNow = async () => {
    await retention();
    return (await eventOf({ eventId: erased?.id ?? '' })).body['data'];
  };
  await daysPass(29);
  expect(await dataNow()).toEqual({ patientPhoneHash: null, patientExternalId });
  await daysPass(2);
  // Its delivery still waits.
  expect(await dataNow()).toEqual({ patientPhoneHash: null, patientExternalId });
  await api.database.em().execute(`UPDATE webhook_delivery SET status = 'skipped', next_attempt_at = NULL`);
  expect(await dataNow()).toBeNull();
});

test('events with their deliveries and attempts go after 400 days, the appointment with its history stays', async () => {
  const booked = appointmentIn(await client.post('/v1/appointments', bookingBody(clinic, inHours(48))));
  await api.database.em().execute(`UPDATE webhook_delivery SET status = 'skipped', next_attempt_at = NULL`);
  const delivery = await aDelivery();
  await client.post(`/v1/webhook-deliveries/${delivery.id}/resend`, undefined);
  await api.database
    .em()
    .execute(
      `UPDATE webhook_delivery SET status = 'failed', next_attempt_at = NULL WHERE resend_of IS NOT NULL`,
    );
  await daysPass(401);
  expect(await retention()).toEqual({ ...NOTHING, deliveries: 2 });
  const left = await api.database
    .em()
    .execute(
      `SELECT 1 FROM webhook_event UNION ALL SELECT 1 FROM webhook_delivery UNION ALL SELECT 1 FROM webhook_attempt`,
    );
  expect(left).toEqual([]);
  expect((await eventOf(delivery)).status).toBe(404);
  expect(appointmentIn(await client.get(`/v1/appointments/${booked.id}`))).toEqual(booked);
  const { items } = (await client.get(`/v1/appointments/${booked.id}/timeline`)).body;
  expect((items as Json[]).map(({ kind }) => kind)).toEqual(['created']);
});

/** A call with a transcript, a summary and a recording. */
async function aRecordedCall(client = api.client): Promise<string> {
  const callId = await aStartedCall(client, { startedAt: new Date().toISOString(), summary: 'Marcou.' });
  const said = aSpeech(0, { occurredAt: new Date().toISOString() });
  await client.post(`/v1/calls/${callId}/events`, { events: [said] });
  await uploadTo(client, callId);
  return callId;
}

test('transcripts and recordings go when the clinic says so; a clinic that says nothing keeps them', async () => {
  const other = createApiClient(api.url, await api.keyOf(await aClinic(database)));
  const [callId, keptCallId] = [await aRecordedCall(), await aRecordedCall(other)];
  const link = await linkTo(client, callId);
  await daysPass(20);
  const youngCallId = await aRecordedCall();
  expect(await retention()).toEqual(NOTHING);
  await client.patch('/v1/tenants/me', {
    config: { retention: { transcriptDays: 19, recordingDays: null } },
  });
  expect(await retention()).toEqual({ ...NOTHING, transcripts: 2 });
  await client.patch('/v1/tenants/me', { config: { retention: { recordingDays: 19 } } });
  expect(await retention()).toEqual({ ...NOTHING, recordings: 1 });

  const call = await client.get(`/v1/calls/${callId}`);
  expect(call.body).toMatchObject({
    call: { recordingUrl: null, summary: null },
    events: [{ transcript: null }],
  });
  expect((await open(api, link)).status).toBe(404);
  expect(await takeDueRemovals(database.em(), { limit: 10, againAfterSeconds: 600 })).toHaveLength(1);
  const audited = `SELECT actor, subject_id FROM audit_event WHERE action = 'recording.erased'`;
  expect(await database.em().execute(audited)).toEqual([{ actor: 'workflow:retention', subject_id: callId }]);
  for (const [of, id] of [
    [client, youngCallId],
    [other, keptCallId],
  ] as const) {
    const kept = await of.get(`/v1/calls/${id}`);
    const url = expect.any(String) as unknown;
    expect(kept.body).toMatchObject({
      call: { recordingUrl: url, summary: 'Marcou.' },
      events: [{ transcript: 'Bom dia' }],
    });
  }
});

test('a summary that was deleted does not come back with a repeated request', async () => {
  const ended = { endedAt: new Date().toISOString(), outcome: 'info_only', summary: 'Marcou.' };
  const callId = await aStartedCall(client, { startedAt: new Date(Date.now() - 1000).toISOString() });
  await client.post(`/v1/calls/${callId}/complete`, ended);
  await daysPass(2);
  await client.patch('/v1/tenants/me', { config: { retention: { transcriptDays: 1 } } });
  expect(await retention()).toEqual({ ...NOTHING, transcripts: 1 });
  const { status, body } = await client.post(`/v1/calls/${callId}/complete`, ended);
  expect([status, body['errors']]).toMatchObject([409, [{ path: 'body.summary' }]]);
  expect((await client.get(`/v1/calls/${callId}`)).body).toMatchObject({ call: { summary: null } });
});

test('the audit goes after three years', async () => {
  await api.database.em().execute(
    `INSERT INTO audit_event (at, actor, action)
     SELECT now() - days * interval '1 day', 'operator:ana', 'key.created' FROM unnest(ARRAY[1095, 1097, 1098, 1099]) days`,
  );
  expect(await retention()).toEqual({ ...NOTHING, audit: 3 });
});

test('who read what goes after two years, with the audit', async () => {
  const at = (days: number) => firstIdAt(new Date(Date.now() - days * 86_400_000));
  const read = { tenantId, actor: 'key:x', kind: 'appointment' as const, subjectIds: [], requestIds: [] };
  const ids = [at(730), at(732), at(733)];
  await insertPatientReads(
    api.database.em(),
    ids.map((id) => ({ ...read, id })),
  );
  expect(await retention()).toEqual({ ...NOTHING, audit: 2 });
  const kept = await listPatientReads(api.database.em(), { tenantId });
  expect(kept.map(({ id }) => id).filter((id) => ids.includes(id))).toEqual([ids[0]]);
});

test('a run that is killed between two steps loses nothing, and the next one ends the work', async () => {
  for (let made = 0; made < 7; made += 1) await aDelivery();
  await daysPass(100);
  let steps = 0;
  await scheduledRun(() => {
    steps += 1;
    if (steps % 3 === 0 && steps < 10) throw new Error('killed');
  });
  const left = await api.database.em().execute('SELECT 1 FROM webhook_event WHERE body IS NOT NULL');
  expect(left).toEqual([]);
  expect(steps).toBeGreaterThan(10);
  expect(await retention()).toEqual(NOTHING);
});

test('a step that finds nothing reads little, however much is kept', async () => {
  await manyYoungRows();
  for (const each of RETENTION_CLASSES) {
    const wanted = { class: each, days: STANDARD_RETENTION, limit: 100, actor: 'test', after: null };
    // The statistics of a transaction tell of what it read alone.
    const pages = await database.em().transactional(async (em) => {
      const before = await pagesRead(em);
      const found = await pruneStep({ ...database, em: () => em }, wanted);
      expect([each, found]).toEqual([each, { pruned: 0, after: null, isFinished: true }]);
      return (await pagesRead(em)) - before;
    });
    expect(pages).toBeLessThan(100);
  }
});

/** 20,000 of each kind, of the clinic that lets calls go soonest. */
async function manyYoungRows(): Promise<void> {
  const callId = await aStartedCall(api.client);
  await api.client.patch('/v1/tenants/me', {
    config: { retention: { transcriptDays: 1, recordingDays: 1 } },
  });
  for (const statement of [
    `INSERT INTO webhook_event (id, tenant_id, type, body, created_at)
     SELECT 'evt_' || i, '${tenantId}', 'nps.submitted', CASE WHEN i % 2 = 0 THEN '{}' END,
       now() - CASE WHEN i % 2 = 0 THEN interval '80 days' ELSE interval '390 days' END
     FROM generate_series(1, 20000) i`,
    `INSERT INTO webhook_delivery (id, tenant_id, event_id, endpoint_id, event_type, workflow_id, status)
     SELECT uuidv7(), '${tenantId}', 'evt_' || i, '${endpointId}', 'nps.submitted', 'w', 'succeeded'
     FROM generate_series(1, 20000) i`,
    `INSERT INTO webhook_attempt (tenant_id, delivery_id, number, started_at, duration_ms, outcome, response_excerpt)
     SELECT tenant_id, id, 1, now() - interval '29 days', 5, 'succeeded', 'received' FROM webhook_delivery`,
    `INSERT INTO call_event (tenant_id, call_id, sequence, event_type, transcript, occurred_at)
     SELECT '${tenantId}', '${callId}', i, 'speech', CASE WHEN i % 2 = 0 THEN 'Bom dia' END,
       now() - CASE WHEN i % 2 = 0 THEN interval '1 hour' ELSE interval '9 days' END
     FROM generate_series(1, 20000) i`,
    `INSERT INTO call (
       id, tenant_id, from_number_sealed, from_number_hash, to_number_sealed, to_number_hash, started_at, summary
     )
     SELECT uuidv7(), '${tenantId}', '', i, '', i, now() - CASE WHEN i % 2 = 0 THEN interval '1 hour' ELSE interval '9 days' END,
       CASE WHEN i % 2 = 0 THEN 'Marcou.' ELSE '' END
     FROM generate_series(1, 20000) i`,
    'ANALYZE',
  ])
    await api.database.em().execute(statement);
}
