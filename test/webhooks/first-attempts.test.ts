import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { createSealing } from '../../adapters/encryption/clinic-ciphers.ts';
import { deleteEndpoint } from '../../commands/webhooks/change-endpoint-health.ts';
import { updateEndpoint, type UpdateEndpoint } from '../../commands/webhooks/save-endpoint.ts';
import { retryDeliveryNow } from '../../commands/webhooks/sending-again/retry-now.ts';
import { WebhookAttemptEntity } from '../../db/entities/webhooks/webhook-attempt.entity.ts';
import { TenantEntity } from '../../db/entities/tenant.entity.ts';
import {
  WebhookDeliveryEntity,
  type WebhookDeliveryRow,
} from '../../db/entities/webhooks/webhook-delivery.entity.ts';
import { WebhookEndpointEntity } from '../../db/entities/webhooks/webhook-endpoint.entity.ts';
import { findOutboxBacklog } from '../../db/outbox/outbox-backlog.ts';
import { ATTEMPT_SHARES } from '../../domain/webhooks/attempt-share.ts';
import { aClinic, asOperator } from '../support/clinic.ts';
import { answerWith, type Receiver } from '../support/servers/receiver.ts';
import { aLog } from '../support/test-logger.ts';
import { makeAttemptsUnwritable } from '../support/unwritable-attempts.ts';
import { until } from '../support/until.ts';
import { layLine } from '../worker/cuttable-line.ts';
import { createWorkerSurroundings, type RunningWorker } from '../worker/running-worker.ts';
import { anEventFor } from './recorded-attempts.ts';
import { forSuite } from '../support/for-suite.ts';

const surroundings = await forSuite(createWorkerSurroundings());

type Place = Awaited<ReturnType<typeof anEndpoint>>;

async function anEndpoint() {
  const { tenantId } = await aClinic(surroundings.database);
  const receiver = await surroundings.startReceiver();
  const { endpointId } = await surroundings.subscribe(tenantId, receiver.url());
  return { tenantId, endpointId, receiver };
}

function event(place: { tenantId: string; endpointId: string }): Promise<WebhookDeliveryRow> {
  return anEventFor(surroundings.database, place);
}

function read({ id }: { id: string }): Promise<WebhookDeliveryRow> {
  return surroundings.database.em().findOneOrFail(WebhookDeliveryEntity, { id });
}

function untilStatus(delivery: WebhookDeliveryRow, status: string): Promise<WebhookDeliveryRow> {
  return until(`a delivery that is ${status}`, async () => {
    const now = await read(delivery);
    return now.status === status && now;
  });
}

function untilCarried(): Promise<unknown> {
  return until('an empty outbox', async () => {
    const { pending } = await findOutboxBacklog(surroundings.database.em());
    return pending === 0;
  });
}

function describeWorkflow(workflowId: string) {
  return surroundings.namespace.temporal.ask((client) => client.workflow.getHandle(workflowId).describe());
}

function eventIds({ requests }: Receiver): string[] {
  return requests.map(({ headers }) => String(headers['x-service-event-id']));
}

test('a hundred deliveries arrive once each, and every one names a workflow that exists', async () => {
  const place = await anEndpoint();
  const deliveries: WebhookDeliveryRow[] = [];
  for (let i = 0; i < 100; i += 1) deliveries.push(await event(place));
  const { stop } = await surroundings.startWorker();
  for (const delivery of deliveries) await untilStatus(delivery, 'succeeded');
  await untilCarried();
  expect(eventIds(place.receiver).toSorted()).toEqual(deliveries.map(({ eventId }) => eventId).toSorted());
  const named = await Promise.all(
    deliveries.map(async (delivery) => String((await read(delivery)).workflowId)),
  );
  const carriers = [...new Set(named)];
  expect(carriers.some((id) => id.startsWith('burst:'))).toBe(true);
  for (const id of carriers) await describeWorkflow(id);
  const burst = carriers.find((id) => id.startsWith('burst:')) ?? '';
  const result = await surroundings.namespace.temporal.ask((client) =>
    client.workflow.getHandle(burst).result(),
  );
  expect(result).toEqual({ deliveries: named.filter((id) => id === burst).length });
  await stop();
});

describe('while a worker runs', () => {
  const { lines, logger } = aLog();
  let worker: RunningWorker;
  beforeAll(async () => {
    worker = await surroundings.startWorker({ logger });
  });
  afterAll(() => worker.stop());

  test('a first attempt that fails has its workflow at once, which waits for the second', async () => {
    const place = await anEndpoint();
    place.receiver.script(answerWith(503));
    const delivery = await untilStatus(await event(place), 'retrying');
    await untilCarried();
    const workflow = await describeWorkflow(String(delivery.workflowId));
    expect(workflow.status.name).toBe('RUNNING');
    expect(await workflow.staticSummary()).toContain('Attempt 1: endpoint failed (http_5xx, 503)');
    expect(workflow.searchAttributes).toMatchObject({
      DeliveryStatus: ['retrying'],
      DeliveryAttempt: [1],
      NextAttemptAt: [delivery.nextAttemptAt],
    });
  });

  test('an answer that the database does not take is recorded by the workflow, and not asked for again', async () => {
    const place = await anEndpoint();
    place.receiver.script(answerWith(503));
    const mend = await makeAttemptsUnwritable(surroundings.database);
    const delivery = await event(place);
    await place.receiver.received(1);
    await until('the outcome to have travelled', () =>
      describeWorkflow(String(delivery.workflowId)).catch(() => false),
    );
    expect(await read(delivery)).toMatchObject({ status: 'pending', attemptCount: 0 });
    await mend();
    expect(await untilStatus(delivery, 'retrying')).toMatchObject({ attemptCount: 1 });
    expect(place.receiver.requests).toHaveLength(1);
  });

  test.each([
    ['deliveries', (id: string) => sql`SELECT FROM webhook_delivery WHERE endpoint_id = ${id} FOR UPDATE`],
    [
      'endpoint, which recovers,',
      (id: string) => sql`
        UPDATE webhook_endpoint
        SET status = 'failing', failing_since = now(), deactivate_at = now() + interval '1 day'
        WHERE id = ${id}`,
    ],
  ])(
    'while a transaction holds the %s of one clinic, other clinics’ attempts are recorded',
    async (_, hold) => {
      const { database } = surroundings;
      const [held, other] = [await anEndpoint(), await anEndpoint()];
      const answer = Promise.withResolvers<ServerResponse>();
      held.receiver.script((response) => answer.resolve(response));
      const waiting = await event(held);
      const response = await answer.promise;
      await database.em().execute(`
      UPDATE webhook_endpoint
      SET status = 'failing', failing_since = now(), deactivate_at = now() + interval '1 day'
      WHERE id = '${held.endpointId}'`);
      await database.write(async (em) => {
        await hold(held.endpointId).execute(em.getKysely());
        response.writeHead(200).end();
        for (let nr = 0; nr < 20; nr += 1) await untilStatus(await event(other), 'succeeded');
        expect((await read(waiting)).status).toBe('pending');
      });
      await untilStatus(waiting, 'succeeded');
      await untilCarried();
      expect(eventIds(held.receiver)).toEqual([waiting.eventId]);
    },
  );

  test('an attempt that failed is logged as a warning, one that succeeded is not', async () => {
    const place = await anEndpoint();
    place.receiver.script(answerWith(500));
    const failed = await untilStatus(await event(place), 'retrying');
    const succeeded = await untilStatus(await event(place), 'succeeded');
    const own = [failed.id, succeeded.id];
    const attempts = lines.filter(
      ({ event: name, deliveryId }) => name === 'delivery.attempted' && own.includes(String(deliveryId)),
    );
    expect(attempts).toEqual([
      expect.objectContaining({ level: 'warn', deliveryId: failed.id, attempt: 1, errorClass: 'http_5xx' }),
      expect.objectContaining({ level: 'info', deliveryId: succeeded.id, attempt: 1, errorClass: null }),
    ]);
  });

  test('a receiver that was quick and then hangs keeps neither its host nor its clinic waiting', async () => {
    const [{ tenantId, receiver }, { tenantId: other }] = [
      await anEndpoint(),
      await aClinic(surroundings.database),
    ];
    const { endpointId } = await surroundings.subscribe(tenantId, receiver.url('/hangs'));
    const ofOther = await surroundings.subscribe(other, receiver.url('/elsewhere'));
    const [hangs, elsewhere] = [
      { tenantId, endpointId },
      { tenantId: other, endpointId: ofOther.endpointId },
    ];
    const received = (path: string) => receiver.requests.filter((request) => request.path === path).length;
    for (let i = 0; i < 80; i += 1) await event(hangs);
    await until('quick answers', () => received('/hangs') === 80);

    const { hold, held, breakOff } = holding();
    receiver.otherwise((response, request) =>
      request.path === '/hangs' ? hold(response) : answerWith(200)(response, request),
    );
    for (let i = 0; i < 80; i += 1) await event(hangs);
    await until('the share to be under way', () => held.size === ATTEMPT_SHARES.endpoint.most);
    breakOff(10);
    for (let round = 1; round <= 3; round += 1) {
      await event(hangs);
      await event(elsewhere);
      await until(
        'those of the others',
        () => received('/hook') === 160 + round && received('/elsewhere') === round,
      );
      expect(held.size).toBe(ATTEMPT_SHARES.endpoint.most - 10);
    }
    receiver.otherwise(answerWith(200));
    breakOff(held.size);
  });
});

test('neither Temporal nor the database takes the answer: it is kept, and recorded when either is back', async () => {
  const place = await anEndpoint();
  const line = await layLine(surroundings.namespace.address);
  const { stop } = await surroundings.startWorker({ address: line.address });
  const mend = await makeAttemptsUnwritable(surroundings.database);
  line.cut();
  const delivery = await event(place);
  await place.receiver.received(1);
  await mend();
  expect(await untilStatus(delivery, 'succeeded')).toMatchObject({ attemptCount: 1 });
  line.mend();
  await untilCarried();
  await describeWorkflow(String((await read(delivery)).workflowId));
  expect(place.receiver.requests).toHaveLength(1);
  await stop();
  await line.close();
});

test('a worker without the right key sends nothing and says why in the outbox; with the key the delivery goes by itself', async () => {
  const place = await anEndpoint();
  const delivery = await event(place);
  const stranger = await surroundings.startWorker({ sealing: createSealing([randomBytes(32)]) });
  await until('the fault to be noted', async () => {
    const { failing } = await findOutboxBacklog(surroundings.database.em());
    return failing === 1;
  });
  await stranger.stop();
  expect(await read(delivery)).toMatchObject({ status: 'pending', attemptCount: 0 });
  expect(place.receiver.requests).toHaveLength(0);
  const { stop } = await surroundings.startWorker();
  await untilStatus(delivery, 'succeeded');
  await stop();
});

test('retry-now of a delivery whose workflow is gone starts it again; of one without an outbox row makes its first attempt', async () => {
  const place = await anEndpoint();
  place.receiver.script(answerWith(500));
  const first = await surroundings.startWorker();
  const retrying = await untilStatus(await event(place), 'retrying');
  await untilCarried();
  await first.stop();
  await surroundings.namespace.temporal.ask((client) =>
    client.workflow.getHandle(String(retrying.workflowId)).terminate('by a test'),
  );
  const pending = await event(place);
  await sql`DELETE FROM outbox`.execute(surroundings.database.em().getKysely());
  for (const { id: deliveryId } of [retrying, pending]) {
    await surroundings.database.write((em) => retryDeliveryNow(em, { tenantId: place.tenantId, deliveryId }));
  }
  const second = await surroundings.startWorker();
  expect(await untilStatus(retrying, 'succeeded')).toMatchObject({ attemptCount: 2 });
  expect(await untilStatus(pending, 'succeeded')).toMatchObject({ attemptCount: 1 });
  expect(place.receiver.requests).toHaveLength(3);
  await second.stop();
});

test('a delivery whose endpoint is off or gone, or whose clinic is canceled, is skipped without an attempt', async () => {
  const [off, gone, canceled] = [await anEndpoint(), await anEndpoint(), await anEndpoint()];
  const deliveries = [await event(off), await event(gone), await event(canceled)];
  const em = surroundings.database.em();
  await em.nativeUpdate(WebhookEndpointEntity, { id: off.endpointId }, { status: 'disabled' });
  await em.nativeUpdate(WebhookEndpointEntity, { id: gone.endpointId }, { deletedAt: new Date() });
  await em.nativeUpdate(TenantEntity, { id: canceled.tenantId }, { status: 'canceled' });
  const { stop } = await surroundings.startWorker();
  for (const delivery of deliveries) await untilStatus(delivery, 'skipped');
  await untilCarried();
  for (const { receiver } of [off, gone, canceled]) expect(receiver.requests).toEqual([]);
  await stop();
});

/** Holds requests open until told to break some of them off, or until the sender gives them up. */
function holding() {
  const held = new Set<ServerResponse>();
  const hold = (response: ServerResponse) => {
    held.add(response);
    response.once('close', () => held.delete(response));
  };
  // After a byte of the answer, so that the attempt is not sent once more on a new connection.
  const breakOff = (count: number) =>
    [...held].slice(0, count).forEach((response) => response.socket?.write('H', () => response.destroy()));
  return { hold, held, breakOff };
}

test('two workers send nothing twice', async () => {
  const places = [await anEndpoint(), await anEndpoint(), await anEndpoint()];
  const workers = [await surroundings.startWorker(), await surroundings.startWorker()];
  const deliveries: WebhookDeliveryRow[] = [];
  for (let i = 0; i < 40; i += 1) for (const place of places) deliveries.push(await event(place));
  for (const delivery of deliveries) await untilStatus(delivery, 'succeeded');
  const sent = places.flatMap(({ receiver }) => eventIds(receiver));
  expect(sent).toHaveLength(120);
  expect(new Set(sent).size).toBe(120);
  await untilCarried();
  for (const { stop } of workers) await stop();
});

const CHANGES: [string, (place: Place, url: string) => Promise<unknown>][] = [
  ['switched off', (place) => change(place, { fields: {}, enabled: false })],
  ['deleted', (place) => surroundings.database.write((em) => deleteEndpoint(em, place, asOperator()))],
  ['moved', (place, url) => change(place, { fields: { url } })],
];

function change(place: Place, changes: Pick<UpdateEndpoint, 'fields' | 'enabled'>): Promise<unknown> {
  return surroundings.database.write((em) => updateEndpoint(em, { ...place, ...changes }, asOperator()));
}

test.each(CHANGES)(
  'an endpoint that is %s is sent nothing that begins a second later',
  async (how, apply) => {
    const [place, elsewhere] = [await anEndpoint(), await surroundings.startReceiver()];
    place.receiver.otherwise((response) => setTimeout(() => response.writeHead(200).end(), 1200));
    for (let i = 0; i < 40; i += 1) await event(place);
    const { stop } = await surroundings.startWorker();
    await place.receiver.received(11);
    await apply(place, elsewhere.url());
    const changedAt = Date.now();
    await untilCarried();
    const late = place.receiver.requests.filter(({ receivedAt }) => receivedAt.getTime() > changedAt + 1000);
    expect(late).toHaveLength(0);
    const attempts = await surroundings.database.em().find(WebhookAttemptEntity, {});
    const sentTo = ({ url }: Receiver) => attempts.filter((attempt) => attempt.url === url()).length;
    expect(sentTo(place.receiver)).toBe(place.receiver.requests.length);
    expect(sentTo(elsewhere)).toBe(elsewhere.requests.length);
    const there = new Set([...eventIds(place.receiver), ...eventIds(elsewhere)]);
    expect(there.size === 40).toBe(how === 'moved');
    await stop();
  },
);
