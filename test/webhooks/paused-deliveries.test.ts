import { afterEach, expect, test } from '@jest/globals';
import { pauseEndpoint, resumeEndpoint } from '../../commands/webhooks/pause-endpoint.ts';
import {
  WebhookDeliveryEntity,
  type WebhookDeliveryRow,
} from '../../db/entities/webhooks/webhook-delivery.entity.ts';
import { asOperator } from '../support/clinic.ts';
import { forSuite } from '../support/for-suite.ts';
import { answerWith } from '../support/servers/receiver.ts';
import { until } from '../support/until.ts';
import { createWorkerFleet } from '../worker/worker-fleet.ts';
import { anEventFor } from './recorded-attempts.ts';

const fleet = await forSuite(createWorkerFleet());
const { database } = fleet;
afterEach(() => fleet.killAll());

interface Place {
  tenantId: string;
  endpointId: string;
}

const pause = (place: Place) =>
  database.write((em) => pauseEndpoint(em, { ...place, hours: 1 }, asOperator()));
const resume = (place: Place) => database.write((em) => resumeEndpoint(em, place, asOperator()));

async function events(place: Place, count: number): Promise<WebhookDeliveryRow[]> {
  const deliveries: WebhookDeliveryRow[] = [];
  for (let i = 0; i < count; i += 1) deliveries.push(await anEventFor(database, place));
  return deliveries;
}

function statuses(deliveries: readonly WebhookDeliveryRow[]): Promise<string[]> {
  return Promise.all(
    deliveries.map(
      async ({ id }) => (await database.em().findOneOrFail(WebhookDeliveryEntity, { id })).status,
    ),
  );
}

test('a worker that is killed while an endpoint is paused loses nothing; other endpoints get theirs meanwhile', async () => {
  const [receiver, other] = [await fleet.startReceiver(), await fleet.startReceiver()];
  const place = await fleet.anEndpointAt(receiver);
  const elsewhere = await fleet.anEndpointAt(other);
  receiver.script(answerWith(503));
  const first = await fleet.start();
  const retrying = await events(place, 1);
  await until('the first attempt to have failed', async () => (await statuses(retrying))[0] === 'retrying');
  receiver.script(answerWith(200));
  await pause(place);
  const pending = await events(place, 20);
  await events(elsewhere, 1);
  await other.received(1);
  await fleet.kill(first);
  const second = await fleet.start();
  await events(elsewhere, 1);
  await other.received(2);
  expect(await statuses([...retrying, ...pending])).toEqual(['retrying', ...pending.map(() => 'pending')]);
  expect(receiver.requests).toHaveLength(1);

  await fleet.kill(second);
  await resume(place);
  await fleet.start();
  await until('all to have arrived', async () =>
    (await statuses([...retrying, ...pending])).every((status) => status === 'succeeded'),
  );
  const arrived = receiver.requests.slice(1).map(({ headers }) => String(headers['x-service-event-id']));
  expect(arrived.toSorted()).toEqual([...retrying, ...pending].map(({ eventId }) => eventId).toSorted());
});
