import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { AttemptShares, type AttemptTarget, type EndAttempt } from '../../sending/attempt-shares.ts';
import { DeferredRetries } from '../../activities/deferred-retries.ts';
import type { WebhookDeliveryRow } from '../../db/entities/webhooks/webhook-delivery.entity.ts';
import { aClinic, anEndpoint } from '../support/clinic.ts';
import { suiteDatabase } from '../support/database.ts';
import { testLogger } from '../support/test-logger.ts';
import { until } from '../support/until.ts';
import { anEventFor, attempted } from './recorded-attempts.ts';

let place: { tenantId: string; endpointId: string };
let target: AttemptTarget;

const database = await suiteDatabase();
beforeEach(async () => {
  const { tenantId } = await aClinic(database);
  place = { tenantId, endpointId: await anEndpoint(database, tenantId) };
  target = { clinicId: tenantId, endpointId: place.endpointId, host: 'receiver' };
});
const started = new Set<DeferredRetries>();
afterEach(() => {
  for (const retries of started) retries.stop();
});

/** Deliveries whose second attempt is due. */
async function dueRetries(count: number): Promise<WebhookDeliveryRow[]> {
  const startedAt = new Date(Date.now() - 60_000);
  const due: WebhookDeliveryRow[] = [];
  for (let i = 0; i < count; i += 1) {
    const delivery = await anEventFor(database, place);
    await attempted(database, delivery, { number: 1, status: 503, startedAt });
    due.push(delivery);
  }
  return due;
}

/** A worker process, as retries see it. Those in `gone` have no workflow. */
function aWorker(gone: readonly WebhookDeliveryRow[] = []) {
  const shares = new AttemptShares();
  const told: string[] = [];
  const signalRoom = async (workflowId: string) => {
    told.push(workflowId);
    return gone.every((delivery) => delivery.workflowId !== workflowId);
  };
  const retries = new DeferredRetries({ database, shares, signalRoom, logger: testLogger() });
  started.add(retries);
  const ask = ({ id: deliveryId }: WebhookDeliveryRow, wasPutOff = false) =>
    retries.begin({ deliveryId, wasPutOff }, target);
  return { shares, told, ask };
}

type Asked = ReturnType<ReturnType<typeof aWorker>['ask']>;

function begun(asked: Asked): EndAttempt {
  if ('end' in asked) return asked.end;
  throw new Error('the retry was put off');
}

/** Its receiver has failed: one attempt at a time. */
async function aWorkerAtFailingReceiver(gone: readonly WebhookDeliveryRow[] = []) {
  const worker = aWorker(gone);
  for (let i = 0; i < 4; i += 1) worker.shares.begin(target)?.('failed');
  const end = worker.shares.begin(target);
  if (!end) throw new Error('one attempt is always allowed');
  return { ...worker, end };
}

/** The retry's next attempt has failed: it is due again in five minutes. */
function failedAgain(delivery: WebhookDeliveryRow) {
  return attempted(database, delivery, { number: 2, status: 503 });
}

test('a retry that was put off is told when there is room, once, and finds it kept', async () => {
  const [retry] = await dueRetries(1);
  const { ask, told, end, shares } = await aWorkerAtFailingReceiver();
  if (!retry) return;
  expect(ask(retry)).toEqual({ askAgainMs: 30_000 });
  expect(told).toEqual([]);
  end('failed');
  await until('it to be told', () => told.length === 1);
  expect(told).toEqual([retry.workflowId]);
  expect(shares.begin(target)).toBeNull();
  begun(ask(retry))('slow');
  await until('room for others', () => shares.begin(target));
  expect(told).toHaveLength(1);
});

test('all that were put off are told, one after the other, as their attempts end', async () => {
  const waiting = await dueRetries(5);
  const { ask, told, end } = await aWorkerAtFailingReceiver();
  for (const retry of waiting) ask(retry);
  end('failed');
  for (let made = 1; made <= waiting.length; made += 1) {
    await until(`${made} to be told`, () => told.length === made);
    const next = waiting.find(({ workflowId }) => workflowId === told.at(-1));
    if (!next) throw new Error('someone else was told');
    const endNext = begun(ask(next));
    await failedAgain(next);
    endNext('failed');
  }
  expect(new Set(told).size).toBe(waiting.length);
});

test('those that were skipped or went on elsewhere meanwhile take no room', async () => {
  const waiting = await dueRetries(8);
  const { ask, told, end, shares } = await aWorkerAtFailingReceiver();
  for (const retry of waiting) ask(retry);
  const [elsewhere, ...skipped] = waiting;
  if (elsewhere) await failedAgain(elsewhere);
  for (const { id } of skipped)
    await sql`UPDATE webhook_delivery SET status = 'skipped', next_attempt_at = NULL WHERE id = ${id}`.execute(
      database.em().getKysely(),
    );
  end('failed');
  await until('room for others', () => shares.begin(target));
  expect(told).toEqual([]);
});

test('one whose workflow is gone leaves its room to the next at once', async () => {
  const [gone, other] = await dueRetries(2);
  if (!gone || !other) return;
  const { ask, told, end } = await aWorkerAtFailingReceiver([gone]);
  ask(gone);
  ask(other);
  end('failed');
  await until('the other to be told', () => told.at(-1) === other.workflowId);
  begun(ask(other))('failed');
});

test('room that a retry does not come for in time goes to a first attempt before the next retry is told', async () => {
  const waiting = await dueRetries(2);
  const { ask, told, end, shares } = await aWorkerAtFailingReceiver();
  for (const retry of waiting) ask(retry);
  let first: EndAttempt | null = null;
  shares.onRoom(() => void setImmediate(() => (first ??= shares.begin(target))));
  end('failed');
  await until('the first attempt', () => first);
  expect(told).toHaveLength(1);
});

test('one that comes too late for its room takes what is kept for the next', async () => {
  const waiting = await dueRetries(2);
  const { ask, told, end } = await aWorkerAtFailingReceiver();
  for (const retry of waiting) ask(retry);
  end('failed');
  await until('both to be told', () => told.length === 2);
  const late = waiting.find(({ workflowId }) => workflowId === told[0]);
  const next = waiting.find(({ workflowId }) => workflowId === told[1]);
  if (!late || !next) throw new Error('someone else was told');
  const endLate = begun(ask(late));
  expect(ask(next)).toHaveProperty('askAgainMs');
  await failedAgain(late);
  endLate('failed');
  await until('the next to be told again', () => told.length === 3);
  begun(ask(next))('failed');
});

test('the more are put off, the longer each waits before it asks again by itself', async () => {
  const waiting = await dueRetries(7);
  const { ask } = await aWorkerAtFailingReceiver();
  const asked = waiting.map((retry) => ask(retry));
  const seconds = asked.map((each) => ('askAgainMs' in each ? each.askAgainMs / 1000 : 0));
  expect(seconds).toEqual([30, 30, 30, 40, 50, 60, 70]);
});

test('a worker that has just started learns from one that asks again that others wait as well', async () => {
  const [first, second] = await dueRetries(2);
  if (!first || !second) return;
  const { ask, told } = aWorker();
  begun(ask(first, true))('failed');
  await until('the other to be told', () => told.length === 1);
  expect(told).toEqual([second.workflowId]);
});

test('room that comes free at the host is offered to retries of other endpoints too', async () => {
  const [retry] = await dueRetries(1);
  if (!retry) return;
  const { ask, told, shares } = aWorker();
  const others = [1, 2].map((nr) => ({ clinicId: `c${nr}`, endpointId: `e${nr}`, host: target.host }));
  const ends = others.flatMap((other) => Array.from({ length: 10 }, () => shares.begin(other)));
  expect(ask(retry)).toHaveProperty('askAgainMs');
  ends[0]?.('slow');
  await until('it to be told', () => told.length === 1);
});
