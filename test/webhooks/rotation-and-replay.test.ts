import { expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { Stripe } from 'stripe';
import { deactivateEndpoint, enableEndpoint } from '../../commands/webhooks/change-endpoint-health.ts';
import { replayDeliveries } from '../../commands/webhooks/sending-again/replay-deliveries.ts';
import { resendDelivery } from '../../commands/webhooks/sending-again/resend-delivery.ts';
import { rotateSecret } from '../../commands/webhooks/rotate-secret.ts';
import { sendTestEvent } from '../../commands/webhooks/send-test-event.ts';
import { WebhookDeliveryEntity } from '../../db/entities/webhooks/webhook-delivery.entity.ts';
import { aClinic, asOperator } from '../support/clinic.ts';
import { answerWith, type ReceivedRequest, type Receiver } from '../support/servers/receiver.ts';
import { until } from '../support/until.ts';
import { createWorkerSurroundings } from '../worker/running-worker.ts';
import { anEventFor, anEventUsedUp } from './recorded-attempts.ts';
import { forSuite } from '../support/for-suite.ts';

const EVENTS = 230;
const DAY_MS = 86_400_000;

const surroundings = await forSuite(createWorkerSurroundings());
const { database } = surroundings;
await surroundings.startWorker();

async function aReceivingEndpoint() {
  const { tenantId } = await aClinic(surroundings.database);
  const receiver = await surroundings.startReceiver();
  const { endpointId, secret } = await surroundings.subscribe(tenantId, receiver.url());
  return { receiver, secret, place: { tenantId, endpointId } };
}

async function nextRequest(receiver: Receiver, cause: () => Promise<unknown>): Promise<ReceivedRequest> {
  const before = receiver.requests.length;
  await cause();
  const request = (await receiver.received(before + 1))[before];
  if (!request) throw new Error('nothing was received');
  return request;
}

/** Which of the secrets verify the delivery, by Stripe's library and by Standard Webhooks'. */
function verifiedBy({ headers, body }: ReceivedRequest, secrets: string[]): boolean[] {
  return secrets.map((secret) => {
    const stripe = succeeds(() => {
      Stripe.webhooks.constructEvent(body, String(headers['x-service-signature']), secret);
    });
    const standard = succeeds(() => new Webhook(secret).verify(body, headers as Record<string, string>));
    expect(standard).toBe(stripe);
    return stripe;
  });
}

function succeeds(check: () => unknown): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}

function rotate(place: { tenantId: string; endpointId: string }, overlapSeconds: number) {
  const input = { ...place, overlapSeconds };
  return surroundings.database.write((em) => rotateSecret(em, input, asOperator()));
}

test('during a rotation either secret verifies, afterwards only the new one', async () => {
  const { receiver, secret: first, place } = await aReceivingEndpoint();
  const { secret: second } = await rotate(place, 3600);
  const during = await nextRequest(receiver, () => anEventFor(surroundings.database, place));
  expect(verifiedBy(during, [second, first])).toEqual([true, true]);
  expect(String(during.headers['x-service-signature']).split('v1=')).toHaveLength(3);

  const { secret: third } = await rotate(place, 0);
  const after = await nextRequest(receiver, () => anEventFor(surroundings.database, place));
  expect(verifiedBy(after, [third, second, first])).toEqual([true, false, false]);
});

test('after many rotations in a row the newest five secrets sign', async () => {
  const { receiver, secret: first, place } = await aReceivingEndpoint();
  const secrets = [first];
  for (let n = 0; n < 6; n += 1) secrets.unshift((await rotate(place, 3600)).secret);
  const request = await nextRequest(receiver, () => anEventFor(surroundings.database, place));
  expect(verifiedBy(request, secrets)).toEqual([true, true, true, true, true, false, false]);
});

test('a test event takes the same path, makes one attempt and tries no more', async () => {
  const { receiver, secret, place } = await aReceivingEndpoint();
  receiver.otherwise(answerWith(500, 'broken'));
  const send = () =>
    surroundings.database.write((em) =>
      sendTestEvent(em, { ...place, exampleOf: 'call.completed' }, asOperator()),
    );
  const request = await nextRequest(receiver, send);
  expect(request.headers['x-service-event-type']).toBe('webhook.test');
  expect(verifiedBy(request, [secret])).toEqual([true]);
  const { endpointId } = place;
  const failed = await until('the delivery to be final', () =>
    surroundings.database.em().findOne(WebhookDeliveryEntity, { endpointId, status: 'failed' }),
  );
  expect(failed.attemptCount).toBe(1);
});

test('a resend reaches the receiver with the same event id, body and another delivery id', async () => {
  const { receiver, place } = await aReceivingEndpoint();
  const delivery = await anEventFor(database, place);
  const [original] = await receiver.received(1);
  await until('the delivery to end', () =>
    database.em().findOne(WebhookDeliveryEntity, { id: delivery.id, status: 'succeeded' }),
  );
  const input = { tenantId: place.tenantId, deliveryId: delivery.id };
  const resent = await nextRequest(receiver, () =>
    database.write((em) => resendDelivery(em, input, asOperator())),
  );
  expect(resent.body).toBe(original?.body);
  expect(resent.headers['x-service-event-id']).toBe(original?.headers['x-service-event-id']);
  expect(resent.headers['x-service-delivery-id']).not.toBe(original?.headers['x-service-delivery-id']);
});

/** In which order a replay asks for them is tested in `replay-rows.test.ts`; attempts run side by side, in no certain order. */
test('what a deactivated endpoint missed is replayed, none missing, none twice', async () => {
  const { receiver, place } = await aReceivingEndpoint();
  const since = new Date(Date.now() - 60_000);
  receiver.otherwise(answerWith(500));
  await anEventUsedUp(database, place);
  await database.write((em) => deactivateEndpoint(em, place, new Date(Date.now() + DAY_MS + 60_000)));
  const missed: string[] = [];
  for (let n = 0; n < EVENTS; n += 1) missed.push((await anEventFor(database, place)).eventId);
  // As autovacuum does within a minute: without statistics, each event is compared with each delivery.
  await database.em().execute('ANALYZE webhook_event, webhook_delivery');

  receiver.otherwise(answerWith(200));
  await database.write((em) => enableEndpoint(em, place, asOperator()));
  const input = { ...place, since, until: null, include: 'skipped' as const };
  const { deliveries } = await database.write((em) => replayDeliveries(em, input, asOperator()));
  expect(deliveries).toBe(EVENTS);

  await until('every event to arrive', async () => missed.every((id) => arrivals(receiver, id) > 0));
  const { endpointId } = place;
  await until(
    'every delivery to be final',
    async () =>
      (await database.em().count(WebhookDeliveryEntity, { endpointId, nextAttemptAt: { $ne: null } })) === 0,
  );
  expect(missed.filter((id) => arrivals(receiver, id) !== 1)).toEqual([]);
});

function arrivals({ requests }: Receiver, eventId: string): number {
  return requests.filter(({ headers }) => headers['x-service-event-id'] === eventId).length;
}
