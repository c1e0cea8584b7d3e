import { describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { Webhook } from 'standardwebhooks';
import { Stripe } from 'stripe';
import { answerWith, neverAnswer, type ReceivedRequest, type Receiver } from '../support/servers/receiver.ts';
import { logsOf, startService, type ApiAnswer } from '../support/servers/service.ts';
import { readHistories } from '../support/temporal-histories.ts';
import { processIdentity } from '../../dev/processes/process-identity.ts';
import { until } from '../support/until.ts';
import { forSuite } from '../support/for-suite.ts';

const GRACE_SECONDS = 3;
const SECRETS_OF_PATIENTS = ['Beatriz Antunes', '912345678', 'afraid of needles'];

interface Clinic {
  tenantId: string;
  key: string;
  professional: string;
  service: string;
}

let nextSlot = Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 48 * 3_600_000;

const service = await forSuite(
  startService({
    NO_SHOW_GRACE_SECONDS: String(GRACE_SECONDS),
    WEBHOOK_RETRY_DELAYS_SECONDS: '1,1,1,1,1',
    RATE_LIMITS_DISABLED: 'true',
  }),
);
const clinic = await createClinic();

async function createClinic(): Promise<Clinic> {
  const { id: tenantId } = await service.admin<{ id: string }>(
    'tenant',
    'create',
    '--name',
    'Clínica da Luz',
    '--specialty',
    'dental',
  );
  const [professional, { id }, { key }] = await Promise.all([
    service.admin<{ id: string }>(
      'professional',
      'create',
      '--tenant',
      tenantId,
      '--name',
      'Ana',
      '--specialty',
      'Dentistry',
    ),
    service.admin<{ id: string }>(
      'service',
      'create',
      '--tenant',
      tenantId,
      '--name',
      'Check-up',
      '--duration',
      '30',
    ),
    service.admin<{ key: string }>('key', 'create', '--tenant', tenantId),
  ]);
  return { tenantId, key, professional: professional.id, service: id };
}

async function anEndpoint(receiver: Receiver, event = '*'): Promise<{ id: string; secret: string }> {
  const { status, body } = await service.request(clinic.key, 'POST', '/v1/webhook-endpoints', {
    url: receiver.url(),
    events: [event],
  });
  expect(status).toBe(201);
  return { id: String(body['id']), secret: String(body['secret']) };
}

/** Of the earlier tests. */
async function removeEndpoints(): Promise<void> {
  const { body } = await service.request(clinic.key, 'GET', '/v1/webhook-endpoints');
  for (const { id } of body['items'] as { id: string }[])
    await service.request(clinic.key, 'DELETE', `/v1/webhook-endpoints/${id}`);
}

function book(changes: Record<string, unknown> = {}): Promise<ApiAnswer> {
  nextSlot += 1_800_000;
  return service.request(clinic.key, 'POST', '/v1/appointments', {
    professionalId: clinic.professional,
    serviceTypeId: clinic.service,
    patientName: 'Beatriz Antunes',
    patientPhone: '+351912345678',
    patientNotes: 'afraid of needles',
    startsAt: new Date(nextSlot).toISOString(),
    ...changes,
  });
}

function patch(id: unknown, body: Record<string, unknown>): Promise<ApiAnswer> {
  return service.request(clinic.key, 'PATCH', `/v1/appointments/${String(id)}`, body);
}

interface Envelope {
  id: string;
  type: string;
  data: { appointment: { id: string; version: number; status: string }; original?: { id: string } };
}

function envelopes(receiver: Receiver): Envelope[] {
  return receiver.requests.map((request) => JSON.parse(request.body) as Envelope);
}

function about(receiver: Receiver, appointmentId: unknown): Envelope[] {
  return envelopes(receiver).filter(({ data }) => data.appointment?.id === appointmentId);
}

function verify(request: ReceivedRequest, secret: string): void {
  const headers = request.headers as Record<string, string>;
  new Stripe('sk_test_none').webhooks.constructEvent(
    request.body,
    headers['x-service-signature'] ?? '',
    secret,
  );
  new Webhook(secret).verify(request.body, headers);
}

test('a service that has just started is well, its schedules included', async () => {
  const report = await service.admin<{ checks: { name: string; ok: boolean }[] }>('doctor');
  expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(report.checks.map(({ name }) => name)).toContain('schedules');
});

test('a booking reaches the clinic’s receiver, signed so that third-party libraries accept it', async () => {
  const receiver = await service.receiver();
  const { secret } = await anEndpoint(receiver, 'appointment.created');
  const { status, body } = await book();
  expect(status).toBe(201);
  const [request] = await receiver.received(1);
  expect(request?.headers).toMatchObject({
    'user-agent': 'Service-Webhooks/1.0',
    'content-type': 'application/json',
    'x-service-event-type': 'appointment.created',
    'x-service-attempt': '1',
  });
  const [envelope] = envelopes(receiver);
  expect(envelope).toMatchObject({ type: 'appointment.created', data: { appointment: { id: body['id'] } } });
  expect(request?.headers['x-service-event-id']).toBe(envelope?.id);
  expect(request?.headers['idempotency-key']).toBe(envelope?.id);
  if (request) verify(request, secret);
  expect(request?.body).not.toContain('needles');
});

test('without a check-in the appointment becomes a no-show; a late check-in still counts', async () => {
  const receiver = await service.receiver();
  await anEndpoint(receiver, 'appointment.*');
  const startsAt = new Date();
  const { body } = await book({ startsAt: startsAt.toISOString() });
  await until('the no-show', () =>
    about(receiver, body['id']).some(({ type }) => type === 'appointment.no_show'),
  );
  const path = `/v1/appointments/${String(body['id'])}`;
  const { body: missed } = await service.request(clinic.key, 'GET', path);
  expect(missed).toMatchObject({ status: 'no_show', version: 2 });
  const late = Date.parse(String(missed['updatedAt'])) - startsAt.getTime() - GRACE_SECONDS * 1000;
  expect(late).toBeGreaterThanOrEqual(0);
  expect(await patch(body['id'], { status: 'attended' })).toMatchObject({
    status: 200,
    body: { status: 'attended', version: 3 },
  });
  await until('the check-in', () => about(receiver, body['id']).length === 3);
  const told = about(receiver, body['id']).sort(
    (a, b) => a.data.appointment.version - b.data.appointment.version,
  );
  expect(told.map(({ type }) => type)).toEqual([
    'appointment.created',
    'appointment.no_show',
    'appointment.attended',
  ]);
});

test('a receiver that fails twice gets the same body again, with a new signature', async () => {
  const receiver = await service.receiver();
  const { secret } = await anEndpoint(receiver, 'appointment.created');
  receiver.script(answerWith(500), answerWith(503));
  await book();
  const requests = await receiver.received(3);
  expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
  expect(new Set(requests.map(({ headers }) => headers['x-service-signature'])).size).toBe(3);
  expect(requests.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2', '3']);
  for (const request of requests) verify(request, secret);
});

async function untilOutboxIsEmpty(): Promise<void> {
  const client = new Client({ connectionString: service.running().databaseUrl });
  await client.connect();
  try {
    await until('an empty outbox', async () => {
      const { rows } = await client.query('SELECT FROM outbox LIMIT 1');
      return rows.length === 0;
    });
  } finally {
    await client.end();
  }
}

/** A worker delivers before the launcher has written down that it runs. */
function runningWorker(): Promise<number> {
  return until('the worker that was started again', async () => {
    const pid = Number(service.running().pids.worker);
    return processIdentity(pid) !== null && pid;
  });
}

describe('nothing is lost', () => {
  test('while Temporal is stopped bookings answer 201 and their events arrive; afterwards each has its workflow', async () => {
    const receiver = await service.receiver();
    await anEndpoint(receiver, 'appointment.created');
    const { temporal } = service.running().pids;
    process.kill(Number(temporal), 'SIGSTOP');
    const answers = [await book(), await book(), await book()];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    await until('the three events', () => receiver.requests.length >= 3);
    process.kill(Number(temporal), 'SIGKILL');
    await untilOutboxIsEmpty();
    const booked = answers.map(({ body }) => body['id']);
    expect(
      envelopes(receiver)
        .map(({ data }) => data.appointment.id)
        .sort(),
    ).toEqual(booked.map(String).toSorted());
  });

  test('a worker killed between commit and start leaves nothing behind', async () => {
    const receiver = await service.receiver();
    await anEndpoint(receiver, 'appointment.created');
    const worker = await runningWorker();
    process.kill(worker, 'SIGSTOP');
    const { body } = await book();
    process.kill(worker, 'SIGKILL');
    await until('the event', () => about(receiver, body['id']).length > 0);
    expect(receiver.requests).toHaveLength(1);
  });

  test('a worker killed in the middle of a delivery repeats that attempt at most once', async () => {
    const receiver = await service.receiver();
    const { id: endpointId } = await anEndpoint(receiver, 'appointment.created');
    receiver.script(neverAnswer());
    await book();
    await receiver.received(1);
    process.kill(await runningWorker(), 'SIGKILL');
    const delivery = await until('the delivery to succeed', async () => {
      const path = `/v1/webhook-deliveries?endpointId=${endpointId}&status=succeeded`;
      const { body } = await service.request(clinic.key, 'GET', path);
      return (body['items'] as { attemptCount: number }[])[0];
    });
    expect(delivery.attemptCount).toBe(1);
    expect(receiver.requests.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '1']);
    expect(new Set(envelopes(receiver).map(({ id }) => id)).size).toBe(1);
  });
});

test('a whole clinic’s day: every cause has its event, and no event lacks a cause', async () => {
  await removeEndpoints();
  const receiver = await service.receiver();
  await anEndpoint(receiver);
  const day = nextSlot + 7 * 86_400_000;
  const start = (index: number) => new Date(day + index * 1_800_000).toISOString();
  const booked = await inParallel(8, 60, async (index) => {
    const answer = await book({ startsAt: start(index) });
    expect(answer.status).toBe(201);
    return String(answer.body['id']);
  });
  const causes = { created: 60, attended: 0, cancelled: 0, rescheduled: 0 };
  await inParallel(8, booked.length, async (index) => {
    const change = changeOf(index, () => start(index + 200));
    if (!change) return;
    causes[change.cause] += 1;
    expect((await patch(booked[index], change.body)).status).toBe(200);
  });
  expect(causes).toEqual({ created: 60, attended: 20, cancelled: 6, rescheduled: 4 });
  const total = Object.values(causes).reduce((sum, count) => sum + count, 0);
  await until('all events', () => receiver.requests.length >= total);
  const counted: Record<string, number> = {};
  for (const { type } of envelopes(receiver)) {
    const cause = type.replace('appointment.', '');
    counted[cause] = (counted[cause] ?? 0) + 1;
  }
  expect(counted).toEqual(causes);
  expect(new Set(envelopes(receiver).map(({ id }) => id)).size).toBe(total);
});

type Change = { cause: 'attended' | 'cancelled' | 'rescheduled'; body: Record<string, unknown> };

/** A third is checked in, a tenth cancelled, some are moved. */
function changeOf(index: number, anotherTime: () => string): Change | null {
  if (index % 3 === 0) return { cause: 'attended', body: { status: 'attended' } };
  if ([1, 4, 7].includes(index % 30)) return { cause: 'cancelled', body: { status: 'cancelled' } };
  if ([2, 5].includes(index % 30)) return { cause: 'rescheduled', body: { startsAt: anotherTime() } };
  return null;
}

async function inParallel<T>(
  width: number,
  count: number,
  work: (index: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  async function lane(): Promise<void> {
    for (let index = next++; index < count; index = next++) results[index] = await work(index);
  }
  await Promise.all(Array.from({ length: width }, lane));
  return results;
}

test('no Temporal history and no log holds a patient’s data or a secret', async () => {
  const { temporalAddress, temporalNamespace } = service.running();
  const histories = await readHistories(temporalAddress, temporalNamespace);
  // Timers of their own for all that was booked; deliveries may share a workflow.
  expect(histories.length).toBeGreaterThan(10);
  const texts = [...histories, await logsOf(service)];
  for (const secret of [...SECRETS_OF_PATIENTS, clinic.key, 'whsec_']) {
    expect(texts.filter((text) => text.includes(secret))).toHaveLength(0);
  }
});
