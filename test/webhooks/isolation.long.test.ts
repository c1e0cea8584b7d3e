import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { ATTEMPT_SHARES } from '../../domain/webhooks/attempt-share.ts';
import { aClinic } from '../support/clinic.ts';
import { answerWith, neverAnswer, type Behaviour, type Receiver } from '../support/servers/receiver.ts';
import { until } from '../support/until.ts';
import { anEventFor } from './recorded-attempts.ts';
import { createWorkerSurroundings } from '../worker/running-worker.ts';
import { forSuite } from '../support/for-suite.ts';

const EVENTS = 60;
/** Retries come back while first attempts still wait, so both compete for the endpoint's places. */
const TIMINGS = { retryDelaysSeconds: [1, 1, 1, 1, 1] };

const surroundings = await forSuite(createWorkerSurroundings());

interface Place {
  tenantId: string;
  endpointId: string;
  receiver: Receiver;
}

async function aClinicWithReceiver(): Promise<Place> {
  const { tenantId } = await aClinic(surroundings.database);
  const receiver = await surroundings.startReceiver();
  const { endpointId } = await surroundings.subscribe(tenantId, receiver.url());
  return { tenantId, endpointId, receiver };
}

async function countDeliveries({ endpointId }: Place, status: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM webhook_delivery WHERE endpoint_id = ${endpointId} AND status = ${status}
  `.execute(surroundings.database.em().getKysely());
  return rows[0]?.count ?? 0;
}

async function countWaiting({ endpointId }: Place): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM outbox WHERE endpoint_id = ${endpointId}
  `.execute(surroundings.database.em().getKysely());
  return rows[0]?.count ?? 0;
}

/** Counts the requests that are open at once. */
function watching(behaviour: Behaviour) {
  const seen = { open: 0, most: 0 };
  const watched: Behaviour = (response, request) => {
    seen.open += 1;
    seen.most = Math.max(seen.most, seen.open);
    response.once('close', () => (seen.open -= 1));
    behaviour(response, request);
  };
  return { seen, watched };
}

test('an endpoint that never answers takes half of the traffic; the other half flows, and nothing of it is lost', async () => {
  const [hanging, healthy] = [await aClinicWithReceiver(), await aClinicWithReceiver()];
  const { seen, watched } = watching(neverAnswer());
  hanging.receiver.otherwise(watched);
  const { stop } = await surroundings.startWorker({ timings: TIMINGS });
  for (let i = 0; i < EVENTS; i += 1) {
    await anEventFor(surroundings.database, hanging);
    await anEventFor(surroundings.database, healthy);
  }
  await until('the healthy half', async () => (await countDeliveries(healthy, 'succeeded')) === EVENTS);
  expect(await countWaiting(hanging)).toBeGreaterThan(0);
  expect(await countDeliveries(hanging, 'succeeded')).toBe(0);

  await until('a retry', async () =>
    hanging.receiver.requests.some(({ headers }) => headers['x-service-attempt'] === '2'),
  );
  hanging.receiver.otherwise(answerWith(200));
  await until('the other half', async () => (await countDeliveries(hanging, 'succeeded')) === EVENTS);
  expect(seen.most).toBeGreaterThanOrEqual(ATTEMPT_SHARES.endpoint.start);
  expect(seen.most).toBeLessThanOrEqual(ATTEMPT_SHARES.endpoint.most);
  await until('the records of all deliveries', async () => (await countWaiting(hanging)) === 0);
  const events = new Set(hanging.receiver.requests.map(({ headers }) => headers['x-service-event-id']));
  expect(events.size).toBe(EVENTS);
  await stop();
});

/** How often the workflows of an endpoint's deliveries have asked for an attempt. */
async function countAsked({ endpointId }: Place): Promise<number> {
  const { rows } = await sql<{ workflow_id: string }>`
    SELECT workflow_id FROM webhook_delivery WHERE endpoint_id = ${endpointId}
  `.execute(surroundings.database.em().getKysely());
  let asked = 0;
  for (const { workflow_id: workflowId } of rows) {
    const { events } = await surroundings.namespace.temporal.ask((client) =>
      client.workflow.getHandle(workflowId).fetchHistory(),
    );
    asked += events?.filter((each) => each.activityTaskScheduledEventAttributes).length ?? 0;
  }
  return asked;
}

test('retries that wait in line at a receiver that hangs ask for their attempts once, and a few again', async () => {
  const hanging = await aClinicWithReceiver();
  const attempts = (number: string) =>
    hanging.receiver.requests.filter(({ headers }) => headers['x-service-attempt'] === number).length;
  hanging.receiver.otherwise((response, request) =>
    request.headers['x-service-attempt'] === '1'
      ? answerWith(503)(response, request)
      : neverAnswer()(response, request),
  );
  const { stop } = await surroundings.startWorker({
    timings: { retryDelaysSeconds: [10, 600, 600, 600, 600] },
  });
  for (let i = 0; i < EVENTS; i += 1) await anEventFor(surroundings.database, hanging);
  await until('first attempts', () => attempts('1') === EVENTS);
  await until('attempts that take half a minute and more, one after the other', () => attempts('2') >= 6);
  expect(await countAsked(hanging)).toBeLessThan(EVENTS + 3 * attempts('2'));
  await stop();
});

const MANY = 300;

test('one clinic’s retry does not wait until the engine is through with another’s hundreds that came due before', async () => {
  const [busy, quiet] = [await aClinicWithReceiver(), await aClinicWithReceiver()];
  for (const { receiver } of [busy, quiet])
    receiver.otherwise((response, request) =>
      answerWith(request.headers['x-service-attempt'] === '1' ? 503 : 200)(response, request),
    );
  const made = ({ receiver }: Place, number: string) =>
    receiver.requests.filter(({ headers }) => headers['x-service-attempt'] === number).length;
  const timings = { retryDelaysSeconds: [60, 600, 600, 600, 600] };
  const first = await surroundings.startWorker({ timings });
  for (let i = 0; i < MANY; i += 1) await anEventFor(surroundings.database, busy);
  await until('the first attempts', () => made(busy, '1') === MANY);
  await anEventFor(surroundings.database, quiet);
  for (const place of [busy, quiet])
    await until('their workflows', async () => made(place, '1') > 0 && (await countWaiting(place)) === 0);
  await first.stop();
  await until('all to be due', async () => (await countNotDue()) === 0);
  const { stop } = await surroundings.startWorker({ timings });
  await until('the one retry', () => made(quiet, '2') === 1);
  expect(made(busy, '2')).toBeLessThan((3 * MANY) / 4);
  await stop();
});

async function countNotDue(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM webhook_delivery WHERE attempt_count = 1 AND next_attempt_at > now()
  `.execute(surroundings.database.em().getKysely());
  return rows[0]?.count ?? 0;
}
