import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { WebhookDeliveryEntity } from '../../db/entities/webhooks/webhook-delivery.entity.ts';
import { until } from '../support/until.ts';
import { anEventFor } from '../webhooks/recorded-attempts.ts';
import { layLine } from '../worker/cuttable-line.ts';
import { createWorkerFleet } from '../worker/worker-fleet.ts';
import { forSuite } from '../support/for-suite.ts';

const DELIVERIES = 80;
const ANSWERS_AFTER_MS = 5000;
/** Longer than a lease and than an attempt. */
const FROZEN_MS = 12_000;
/** Until what was sent before the stop has been read by the receiver. */
const ARRIVES_WITHIN_MS = 300;

const fleet = await forSuite(createWorkerFleet());
afterEach(() => fleet.killAll());

test('a worker that was frozen repeats nothing but what was under way at that moment, and believes the answers it finds', async () => {
  const receiver = await fleet.startReceiver();
  const inFlight = new Set<string>();
  receiver.otherwise((response, { headers }) => {
    const eventId = String(headers['x-service-event-id']);
    inFlight.add(eventId);
    setTimeout(() => {
      inFlight.delete(eventId);
      response.writeHead(200).end();
    }, ANSWERS_AFTER_MS);
  });
  const [frozen] = [await fleet.start(), await fleet.start()];
  const places = [await fleet.anEndpointAt(receiver), await fleet.anEndpointAt(receiver)];
  for (let i = 0; i < DELIVERIES / 2; i += 1) {
    for (const place of places) await anEventFor(fleet.database, place);
  }
  await receiver.received(DELIVERIES / 4);
  frozen.child.kill('SIGSTOP');
  await delay(ARRIVES_WITHIN_MS);
  const mayRepeat = new Set(inFlight);
  await delay(FROZEN_MS - ARRIVES_WITHIN_MS);
  frozen.child.kill('SIGCONT');
  const deliveries = await until('every delivery to arrive', async () => {
    const rows = await fleet.database.em().find(WebhookDeliveryEntity, {});
    return rows.every(({ status }) => status === 'succeeded') && rows;
  });
  expect(deliveries).toHaveLength(DELIVERIES);
  expect(deliveries.flatMap(({ lastErrorClass }) => lastErrorClass ?? [])).toEqual([]);
  const sent = Map.groupBy(receiver.requests, ({ headers }) => String(headers['x-service-event-id']));
  const repeated = [...sent].filter(([, requests]) => requests.length > 1).map(([eventId]) => eventId);
  expect(repeated.filter((eventId) => !mayRepeat.has(eventId))).toEqual([]);
  expect(receiver.requests.length).toBeLessThanOrEqual(DELIVERIES + mayRepeat.size);
});

test('a worker that was frozen while it connected does not send what another has sent meanwhile', async () => {
  const receiver = await fleet.startReceiver();
  const line = await layLine(`127.0.0.1:${receiver.port}`);
  const place = await fleet.anEndpointAt({ ...receiver, url: () => `https://localhost:${line.port}/hook` });
  const frozen = await fleet.start();
  line.hush();
  const first = await anEventFor(fleet.database, place);
  await line.connected(1);
  frozen.child.kill('SIGSTOP');
  line.mend();
  const other = await fleet.start();
  await receiver.received(1);
  await fleet.kill(other);
  frozen.child.kill('SIGCONT');
  const second = await anEventFor(fleet.database, place);
  await receiver.received(2);
  expect(receiver.requests.map(({ headers }) => headers['x-service-event-id'])).toEqual([
    first.eventId,
    second.eventId,
  ]);
  await line.close();
});
