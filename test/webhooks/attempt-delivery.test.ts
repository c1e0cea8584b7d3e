import { beforeEach, expect, test } from '@jest/globals';
import { ActivityCancellationDetails } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { sql } from 'kysely';
import { AttemptShares } from '../../sending/attempt-shares.ts';
import { createDeliveryActivities } from '../../activities/delivery.activities.ts';
import { DeferredRetries } from '../../activities/deferred-retries.ts';
import { createSendAttempt } from '../../sending/send-attempt.ts';
import { withSafeFailures } from '../../activities/each-activity.ts';
import { presentDeliveryDetail } from '../../api/webhook-deliveries/present.ts';
import { createEndpoint, updateEndpoint } from '../../commands/webhooks/save-endpoint.ts';
import { deleteEndpoint } from '../../commands/webhooks/change-endpoint-health.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { WebhookDeliveryEntity } from '../../db/entities/webhooks/webhook-delivery.entity.ts';
import { withExcerpts } from '../../db/webhooks/deliveries/list-deliveries.ts';
import { ATTEMPT_SHARES } from '../../domain/webhooks/attempt-share.ts';
import { temporalLogger } from '../../worker/temporal-runtime.ts';
import { aClinic, asOperator, book, inHours, type TestClinic } from '../support/clinic.ts';
import { suiteDatabase } from '../support/database.ts';
import { answerLate } from '../support/late-answers.ts';
import { answerWith } from '../support/servers/receiver.ts';
import { startTrustedReceiver } from '../support/servers/trusted-receiver.ts';
import { shiftClock } from '../support/shift-clock.ts';
import { testLogger } from '../support/test-logger.ts';
import { makeAttemptsUnwritable } from '../support/unwritable-attempts.ts';
import { until } from '../support/until.ts';
import { anEventFor } from './recorded-attempts.ts';
import { forSuite } from '../support/for-suite.ts';

let clinic: TestClinic;
let endpointId: string;
let deliveryId: string;

const database = await suiteDatabase();
const sending = await forSuite(startTrustedReceiver());
const { receiver } = sending;
const { webhookClient } = sending;
const { ciphers } = database;
const common = { database, ciphers, webhookClient, logger: testLogger() };
const activities = withSafeFailures(
  createDeliveryActivities({
    ...common,
    send: createSendAttempt(common),
    retries: new DeferredRetries({ ...common, shares: new AttemptShares(), signalRoom: async () => false }),
  }),
);

let requestsBefore = 0;
beforeEach(async () => {
  clinic = await aClinic(database);
  const input = { tenantId: clinic.tenantId, url: receiver.url(), events: ['*'], description: null };
  const { endpoint } = await database.write((em) => createEndpoint(em, input, asOperator()));
  endpointId = endpoint.id;
  await book(database, clinic, { startsAt: inHours(24) });
  const [delivery] = await query<{ id: string }>(
    sql`SELECT id FROM webhook_delivery WHERE endpoint_id = ${endpointId}`,
  );
  deliveryId = delivery?.id ?? '';
  requestsBefore = receiver.requests.length;
});

async function query<T>(statement: ReturnType<typeof sql<T>>): Promise<T[]> {
  return (await statement.execute(database.em().getKysely())).rows;
}

function requests() {
  return receiver.requests.slice(requestsBefore);
}

function anActivity(
  info: { heartbeatDetails?: unknown; heartbeatTimeoutMs?: number } = {},
): MockActivityEnvironment {
  return new MockActivityEnvironment(info, { logger: temporalLogger(testLogger()) });
}

function attempt(number: number, environment = anActivity()) {
  return environment.run(activities.attemptDelivery, { deliveryId, clinicId: clinic.tenantId, number });
}

/** As when the time until its next attempt has passed. */
async function makeDue(): Promise<void> {
  await query(sql`UPDATE webhook_delivery SET next_attempt_at = now() WHERE id = ${deliveryId}`);
}

interface AttemptRow {
  number: number;
  outcome: string;
  error_class: string | null;
  response_status: number | null;
  started_at: Date;
  duration_ms: number;
}

function attemptRows(): Promise<AttemptRow[]> {
  return query<AttemptRow>(
    sql<AttemptRow>`SELECT * FROM webhook_attempt WHERE delivery_id = ${deliveryId} ORDER BY number`,
  );
}

test('a success is written down and ends the delivery', async () => {
  expect(await attempt(1)).toEqual({ status: 'succeeded', attempts: 1, lastOutcome: 'succeeded' });
  expect(requests()).toHaveLength(1);
  expect(await attemptRows()).toMatchObject([{ number: 1, outcome: 'succeeded', response_status: 200 }]);
});

test('the delivery log shows the headers of each attempt as the receiver got them, but no signature', async () => {
  receiver.script(answerWith(500));
  await attempt(1);
  await makeDue();
  await attempt(2);
  const delivery = await database.em().findOneOrFail(WebhookDeliveryEntity, { id: deliveryId });
  const { attempts } = presentDeliveryDetail(await withExcerpts(database.em(), delivery), null);
  expect(attempts).toHaveLength(2);
  for (const [at, { requestHeaders }] of attempts.entries()) {
    const shown = Object.entries(requestHeaders ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
    const received = requests()[at]?.headers ?? {};
    const unsigned = {
      ...received,
      'x-service-signature': String(received['x-service-signature']).replace(/v1=[0-9a-f]{64}$/, 'v1=…'),
      'webhook-signature': String(received['webhook-signature']).replace(/^v1,\S{44}$/, 'v1,…'),
    };
    expect(shown).toHaveLength(12);
    expect(unsigned).toMatchObject(Object.fromEntries(shown));
  }
});

test('a failure is a result: written down with what the receiver said, and the next attempt 30 s after its end', async () => {
  receiver.script(answerWith(500, 'out of order'));
  const report = await attempt(1);
  const [row] = await attemptRows();
  expect(row).toMatchObject({
    number: 1,
    outcome: 'failed',
    error_class: 'http_5xx',
    response_status: 500,
  });
  const delivery = await database.em().findOneOrFail(WebhookDeliveryEntity, { id: deliveryId });
  const { attempts } = await withExcerpts(database.em(), delivery);
  expect(attempts.map(({ responseExcerpt }) => responseExcerpt)).toEqual(['out of order']);
  const endedAt = new Date(row?.started_at ?? 0).getTime() + (row?.duration_ms ?? 0);
  const nextAttemptAt = new Date(endedAt + 30_000).toISOString();
  expect(report).toEqual({
    status: 'retrying',
    attempts: 1,
    lastOutcome: 'endpoint failed (http_5xx, 500)',
    nextAttemptAt,
  });
});

test('an attempt that is in the rows is reported and not made again', async () => {
  receiver.script(answerWith(500));
  const first = await attempt(1);
  expect(await attempt(1)).toEqual(first);
  expect(requests()).toHaveLength(1);
  expect(await attemptRows()).toHaveLength(1);
});

test('a final delivery makes no attempt', async () => {
  await attempt(1);
  expect(await attempt(2)).toEqual({ status: 'succeeded', attempts: 1, lastOutcome: 'succeeded' });
  expect(requests()).toHaveLength(1);
});

test.each([
  ['disabled', sql`status = 'disabled'`],
  ['deactivated', sql`status = 'deactivated'`],
  ['deleted', sql`deleted_at = now()`],
])('an endpoint that is %s ends its open delivery as skipped', async (_state, change) => {
  await query(sql`UPDATE webhook_endpoint SET ${change} WHERE id = ${endpointId}`);
  expect(await attempt(1)).toEqual({ status: 'skipped', attempts: 0, lastOutcome: 'none' });
  expect(requests()).toHaveLength(0);
});

type Place = { tenantId: string; endpointId: string };

const CHANGES: [string, (em: EntityManager, place: Place) => Promise<unknown>, string[]][] = [
  [
    'switched off',
    (em, place) => updateEndpoint(em, { ...place, fields: {}, enabled: false }, asOperator()),
    [],
  ],
  ['deleted', (em, place) => deleteEndpoint(em, place, asOperator()), []],
  [
    'moved',
    (em, place) => updateEndpoint(em, { ...place, fields: { url: receiver.url('/moved') } }, asOperator()),
    ['/moved'],
  ],
];

test.each(CHANGES)(
  'a retry that was read before its endpoint was %s is not made by what was read',
  async (_how, change, sentTo) => {
    receiver.script(answerWith(500));
    await attempt(1);
    await makeDue();
    const late = await answerLate(database);
    try {
      const retry = attempt(2);
      await late.asked();
      await database.write((em) => change(em, { tenantId: clinic.tenantId, endpointId }));
      const status = sentTo.length === 0 ? 'skipped' : 'succeeded';
      expect(await retry).toMatchObject({ status });
    } finally {
      await late.end();
    }
    expect(requests().map(({ path }) => path)).toEqual(['/hook', ...sentTo]);
  },
);

test.each([
  [200, 'succeeded'],
  [500, 'skipped'],
])('an answer %i that comes in after the delivery was skipped leaves it %s', async (answered, status) => {
  receiver.script((response) => {
    void query(
      sql`UPDATE webhook_delivery SET status = 'skipped', next_attempt_at = NULL WHERE id = ${deliveryId}`,
    ).then(() => response.writeHead(answered).end());
  });
  expect(await attempt(1)).toMatchObject({ status, attempts: 1 });
});

test('while the database takes no writes the answer is kept and written later; nothing is sent again', async () => {
  const mend = await makeAttemptsUnwritable(database);
  const environment = anActivity();
  const unrecorded = new Promise<unknown>((resolve) => environment.once('heartbeat', resolve));
  const report = attempt(1, environment);
  expect(await unrecorded).toMatchObject({ number: 1, outcome: 'succeeded', responseStatus: 200 });
  await mend();
  expect(await report).toMatchObject({ status: 'succeeded', attempts: 1 });
  expect(requests()).toHaveLength(1);
});

test('an outcome that a stopped worker could not write is written by the next, without sending', async () => {
  receiver.script(answerWith(404, 'patient Maria is not here'));
  const mend = await makeAttemptsUnwritable(database);
  const stopped = anActivity();
  const unrecorded = new Promise<unknown>((resolve) => stopped.once('heartbeat', resolve));
  const report = attempt(1, stopped);
  const heartbeatDetails = await unrecorded;
  stopped.cancel('WORKER_SHUTDOWN', new ActivityCancellationDetails({ workerShutdown: true }));
  await expect(report).rejects.toMatchObject({ type: 'WorkerStopped' });
  await mend();
  expect(await attemptRows()).toEqual([]);

  // Heartbeats become part of the workflow's history.
  expect(JSON.stringify(heartbeatDetails)).not.toContain('Maria');
  const next = anActivity({ heartbeatDetails });
  expect(await attempt(1, next)).toMatchObject({
    status: 'retrying',
    lastOutcome: 'endpoint refused the event (http_4xx, 404)',
  });
  expect(requests()).toHaveLength(1);
  expect(await attemptRows()).toMatchObject([{ number: 1, error_class: 'http_4xx', response_status: 404 }]);
});

test('a database that cannot be asked fails the activity before anything is sent, without its words', async () => {
  await query(sql`ALTER TABLE webhook_attempt RENAME TO webhook_attempt_hidden`);
  const failure: unknown = await attempt(1).catch((error: unknown) => error);
  await query(sql`ALTER TABLE webhook_attempt_hidden RENAME TO webhook_attempt`);
  expect(failure).toMatchObject({ name: 'ApplicationFailure', message: expect.stringContaining('42P01') });
  expect(String(failure)).not.toContain('SELECT');
  expect(requests()).toHaveLength(0);
});

test('the body of every attempt is the same, its signature is new', async () => {
  receiver.script(answerWith(500));
  await attempt(1);
  await makeDue();
  await attempt(2);
  const [first, second] = requests();
  expect(second?.body).toBe(first?.body);
  expect([first, second].map((request) => request?.headers['x-service-attempt'])).toEqual(['1', '2']);
  expect(second?.headers['x-service-event-id']).toBe(first?.headers['x-service-event-id']);
});

test('the attempt above the endpoint’s share is deferred: not sent, not recorded, made when it is asked for later', async () => {
  const perEndpoint = ATTEMPT_SHARES.endpoint.start;
  const answers: (() => void)[] = [];
  receiver.otherwise((response) => void answers.push(() => response.writeHead(200).end()));
  const place = { tenantId: clinic.tenantId, endpointId };
  const others: string[] = [];
  for (let i = 0; i < perEndpoint; i += 1) others.push((await anEventFor(database, place)).id);
  const ask = (id: string) =>
    new MockActivityEnvironment().run(activities.attemptDelivery, {
      deliveryId: id,
      clinicId: clinic.tenantId,
      number: 1,
    });
  const inFlight = others.map(ask);
  await until('all answers to be awaited', () => answers.length === perEndpoint);
  expect(await ask(deliveryId)).toEqual({ status: 'deferred', attempts: 0, askAgainMs: 30_000 });
  expect(requests()).toHaveLength(perEndpoint);
  expect(await query(sql`SELECT FROM webhook_attempt WHERE delivery_id = ${deliveryId}`)).toEqual([]);
  for (const answer of answers) answer();
  await Promise.all(inFlight);
  receiver.otherwise(answerWith(200));
  expect(await ask(deliveryId)).toMatchObject({ status: 'succeeded', attempts: 1 });
});

test('an attempt that is not due is not made, however often it is asked for: it tells for how long', async () => {
  receiver.script(answerWith(500));
  const first = await attempt(1);
  for (const asked of [await attempt(2), await attempt(2)]) {
    expect(asked).toEqual({ ...(first as object), notDueForMs: expect.any(Number) });
    expect(asked).toHaveProperty('notDueForMs', expect.closeTo(30_000, -4));
  }
  expect(requests()).toHaveLength(1);
  await makeDue();
  expect(await attempt(2)).toMatchObject({ status: 'succeeded', attempts: 2 });
});

/** By the database's clock, like everything that its rows tell. */
async function dueInSeconds(): Promise<number> {
  const [row] = await query<{ seconds: number }>(sql`
    SELECT extract(epoch FROM next_attempt_at - now())::float8 AS seconds FROM webhook_delivery WHERE id = ${deliveryId}
  `);
  return row?.seconds ?? NaN;
}

test.each([-10, 10])(
  'the database says when an attempt was made and the next one is due, not a worker whose clock is off by %i s',
  async (off) => {
    receiver.script(answerWith(500));
    const endShift = shiftClock(off * 1000);
    try {
      await attempt(1);
      expect(await dueInSeconds()).toBeCloseTo(30, -1);
      expect(await attempt(2)).toMatchObject({ status: 'retrying', attempts: 1 });
      await makeDue();
      expect(await attempt(2)).toMatchObject({ status: 'succeeded', attempts: 2 });
    } finally {
      endShift();
    }
    const startedAt = (await attemptRows()).map((row) => new Date(row.started_at).getTime());
    expect(startedAt).toEqual(startedAt.toSorted((a, b) => a - b));
    expect(requests().map(({ headers }) => Number(headers['webhook-timestamp']))).toEqual(
      startedAt.map((ms) => Math.floor(ms / 1000)),
    );
  },
);

test('an outcome from the time when the database was away is recorded as the attempt it was', async () => {
  const made = {
    number: 1,
    outcome: 'failed',
    errorClass: 'http_5xx',
    responseStatus: 503,
    durationMs: 7,
    startedAt: new Date().toISOString(),
  } as const;
  const record = () =>
    anActivity().run(activities.recordAttempt, { deliveryId, clinicId: clinic.tenantId, made });
  expect(await record()).toMatchObject({
    status: 'retrying',
    lastOutcome: 'endpoint failed (http_5xx, 503)',
  });
  expect(await record()).toMatchObject({ status: 'retrying', attempts: 1 });
  expect(await attemptRows()).toMatchObject([{ number: 1, response_status: 503, duration_ms: 7 }]);
  expect(requests()).toHaveLength(0);
});

test('a fault of the record that is not the database’s absence fails the activity; the next run records and sends nothing', async () => {
  await query(sql`ALTER TABLE webhook_attempt ADD CONSTRAINT refused CHECK (number > 1) NOT VALID`);
  const environment = anActivity();
  const beat = new Promise<unknown>((resolve) => environment.once('heartbeat', resolve));
  await expect(attempt(1, environment)).rejects.toMatchObject({ message: expect.stringContaining('23514') });
  const heartbeatDetails = await beat;
  await query(sql`ALTER TABLE webhook_attempt DROP CONSTRAINT refused`);
  expect(await attempt(1, anActivity({ heartbeatDetails }))).toMatchObject({ status: 'succeeded' });
  expect(requests()).toHaveLength(1);
});

test('an attempt whose rows were read for longer than Temporal waits for a heartbeat is not sent', async () => {
  const late = await answerLate(database);
  const slow = attempt(1, anActivity({ heartbeatTimeoutMs: 900 }));
  const refusal = await slow.catch((error: unknown) => error);
  await late.end();
  expect([refusal, requests()]).toMatchObject([{ message: 'AttemptNotBegun' }, []]);
});

test('an attempt tells that it is alive while the receiver takes its time', async () => {
  const answer = Promise.withResolvers<void>();
  receiver.script((response) => void answer.promise.then(() => response.end()));
  const environment = anActivity();
  const beat = new Promise<unknown>((resolve) => environment.once('heartbeat', resolve));
  const report = attempt(1, environment);
  expect(await beat).toBeNull();
  answer.resolve();
  expect(await report).toMatchObject({ status: 'succeeded' });
});
