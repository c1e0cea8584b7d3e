import { afterEach, expect, test } from '@jest/globals';
import { msToTs } from '@temporalio/common/lib/time.js';
import { WebhookAttemptEntity } from '../../db/entities/webhooks/webhook-attempt.entity.ts';
import {
  WebhookDeliveryEntity,
  type WebhookDeliveryRow,
} from '../../db/entities/webhooks/webhook-delivery.entity.ts';
import { findOutboxBacklog } from '../../db/outbox/outbox-backlog.ts';
import { whatWorkersSayOfTemporal } from '../../db/outbox/lease-rows.ts';
import { connectTemporal } from '../../adapters/temporal/connect-temporal.ts';
import { anyPort } from '../../dev/processes/free-port.ts';
import { anyOf } from '../support/any-of.ts';
import { answerWith } from '../support/servers/receiver.ts';
import { clockOffBy } from '../support/shift-clock.ts';
import { realTemporal } from '../support/temporal.ts';
import { until } from '../support/until.ts';
import { anEventFor } from '../webhooks/recorded-attempts.ts';
import { layLine } from './cuttable-line.ts';
import { createWorkerFleet } from './worker-fleet.ts';
import { forSuite } from '../support/for-suite.ts';

const fleet = await forSuite(createWorkerFleet());
afterEach(() => fleet.killAll());

test('it waits for a Temporal that is away, says so, and ends in order at SIGTERM, also meanwhile', async () => {
  const line = await layLine(fleet.namespace.address);
  line.cut();
  const [patient, stopped] = [
    fleet.launch({ TEMPORAL_ADDRESS: line.address }),
    fleet.launch({ TEMPORAL_ADDRESS: line.address }),
  ];
  for (const { output } of [patient, stopped]) {
    await until('a word about Temporal', () => output().includes('temporal.away'));
  }
  stopped.child.kill('SIGTERM');
  expect(await stopped.ended).toBe(0);
  line.mend();
  await patient.ready;
  patient.child.kill('SIGTERM');
  expect(await patient.ended).toBe(0);
  expect(patient.output()).toContain('worker.stopped');
  await line.close();
});

test('started while Temporal is away, it makes first attempts at once and tells how it is; the rest follows, until SIGINT', async () => {
  const line = await layLine(fleet.namespace.address);
  line.cut();
  const port = await anyPort('127.0.0.1');
  const worker = fleet.launch({ TEMPORAL_ADDRESS: line.address, METRICS_PORT: String(port) });
  const receiver = await fleet.startReceiver();
  receiver.script(answerWith(503));
  const place = await fleet.anEndpointAt(receiver);
  const [refused, taken] = [await anEventFor(fleet.database, place), await anEventFor(fleet.database, place)];
  await receiver.received(2);
  const metrics = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(await metrics.text()).toContain('temporal_up 0');
  const isReached = async () => (await whatWorkersSayOfTemporal(fleet.database.em())).isReached;
  expect(await isReached()).toBe(false);
  line.mend();
  await worker.ready;
  await until('its word that Temporal is reached', isReached);
  await until('their workflows', async () => (await findOutboxBacklog(fleet.database.em())).pending === 0);
  const read = (id: string) => fleet.database.em().findOneOrFail(WebhookDeliveryEntity, { id });
  const delivery = (await read(refused.id)).status === 'retrying' ? refused : taken;
  const { status } = await fleet.namespace.temporal.ask((client) =>
    client.workflow.getHandle(String(delivery.workflowId)).describe(),
  );
  expect(status.name).toBe('RUNNING');
  worker.child.kill('SIGINT');
  expect(await worker.ended).toBe(0);
  expect(worker.output()).toContain('worker.stopped');
  await line.close();
});

test('a receiver that takes more than a second is sent several deliveries at once again soon after it has failed', async () => {
  const worker = await fleet.start();
  const receiver = await fleet.startReceiver();
  receiver.otherwise(answerWith(503));
  const place = await fleet.anEndpointAt(receiver);
  const attempted = (count: number) =>
    until(`${count} attempts that are recorded`, async () => {
      const attempts = await fleet.database.em().count(WebhookAttemptEntity, {
        deliveryId: { $in: deliveries.map(({ id }) => id) },
      });
      return attempts === count;
    });
  const deliveries: WebhookDeliveryRow[] = [];
  for (let i = 0; i < 8; i += 1) deliveries.push(await anEventFor(fleet.database, place));
  await attempted(8);
  receiver.otherwise((response) => setTimeout(() => response.writeHead(200).end(), 1200));
  const begun = performance.now();
  for (let i = 0; i < 20; i += 1) deliveries.push(await anEventFor(fleet.database, place));
  await attempted(28);
  // One at a time they take 24 s.
  expect(performance.now() - begun).toBeLessThan(15_000);
  // The process that started it is gone, which ends it too.
  worker.child.disconnect();
  expect(await worker.ended).toBe(0);
});

test.each([anyOf([-10, 10])])(
  'while its clock is off by %i s a retry is made when it is due, and asked for but once or twice',
  async (off) => {
    await fleet.start({ ...clockOffBy(off * 1000), WEBHOOK_RETRY_DELAYS_SECONDS: '3,300,1800,7200,43200' });
    const receiver = await fleet.startReceiver();
    receiver.script(answerWith(503));
    const { id, workflowId } = await anEventFor(fleet.database, await fleet.anEndpointAt(receiver));
    const [first, second] = await receiver.received(2);
    const waitedMs = (second?.receivedAt.getTime() ?? 0) - (first?.receivedAt.getTime() ?? 0);
    expect(waitedMs).toBeGreaterThan(2900);
    expect(waitedMs).toBeLessThan(8000);
    const { result, history } = await fleet.namespace.temporal.ask(async (client) => {
      const handle = client.workflow.getHandle(String(workflowId));
      return { result: await handle.result(), history: await handle.fetchHistory() };
    });
    expect(result).toEqual({ outcome: 'succeeded', attempts: 2 });
    const events = history.events ?? [];
    expect(events.filter((event) => event.activityTaskScheduledEventAttributes).length).toBeLessThanOrEqual(
      2,
    );
    expect(events.length).toBeLessThan(30);
    const attempts = await fleet.database.em().find(WebhookAttemptEntity, { deliveryId: id });
    const datesOff = attempts.map(({ number, startedAt }) => {
      const request = receiver.requests.find(
        ({ headers }) => headers['x-service-attempt'] === String(number),
      );
      return Math.abs(startedAt.getTime() - (request?.receivedAt.getTime() ?? 0));
    });
    expect(Math.max(...datesOff)).toBeLessThan(5000);
  },
);

test('it refuses a namespace that lacks search attributes, and names them', async () => {
  const bare = `bare-${fleet.namespace.namespace}`;
  const temporal = connectTemporal({ namespace: bare, connection: { address: realTemporal().address } });
  await temporal.connection.workflowService.registerNamespace({
    namespace: bare,
    workflowExecutionRetentionPeriod: msToTs('1 day'),
  });
  await temporal[Symbol.asyncDispose]();
  const worker = fleet.launch({ TEMPORAL_NAMESPACE: bare });
  expect(await worker.ended).toBe(1);
  expect(worker.output()).toContain('ClinicId');
  expect(worker.output()).toContain('temporal:setup');
});

test('a bad environment ends it at once, with every problem named', async () => {
  const worker = fleet.launch({ SERVICE_MODE: 'demo', DATABASE_URL: 'mysql://secret@db', METRICS_PORT: '0' });
  expect(await worker.ended).toBe(1);
  for (const name of ['SERVICE_MODE', 'DATABASE_URL', 'METRICS_PORT'])
    expect(worker.output()).toContain(`${name}: `);
  expect(worker.output()).not.toContain('secret');
});
