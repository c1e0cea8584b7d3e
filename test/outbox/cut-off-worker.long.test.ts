import { afterEach, expect, test } from '@jest/globals';
import {
  WebhookDeliveryEntity,
  type WebhookDeliveryRow,
} from '../../db/entities/webhooks/webhook-delivery.entity.ts';
import { until } from '../support/until.ts';
import { anEventFor } from '../webhooks/recorded-attempts.ts';
import { layLine } from '../worker/cuttable-line.ts';
import { createWorkerFleet } from '../worker/worker-fleet.ts';
import type { WorkerProcess } from '../worker/worker-process.ts';
import { forSuite } from '../support/for-suite.ts';

const DELIVERIES = 40;
const RETRY_DELAYS = { WEBHOOK_RETRY_DELAYS_SECONDS: '1,30,30,30,30' };
/** Of the outbox's statements: their time limit, the silence after it and what follows; a statement of a scan may take a minute. */
const NOTICED_WITHIN_MS = 30_000;

const fleet = await forSuite(createWorkerFleet());
const line = await forSuite(layLine(new URL(fleet.databaseUrl).host));
const toTemporal = await forSuite(layLine(fleet.namespace.address));
afterEach(async () => {
  await fleet.killAll();
  line.mend();
  toTemporal.mend();
});

/** A worker that reaches Temporal and receivers as others do, and the database by the line alone. */
function startOnTheLine(): Promise<WorkerProcess> {
  return fleet.start({ ...RETRY_DELAYS, DATABASE_URL: line.by(fleet.databaseUrl) });
}

/** Each delivery to it needs its workflow, and a second attempt. */
async function anEndpointThatFailsAtFirst() {
  const receiver = await fleet.startReceiver();
  receiver.otherwise((response, { headers }) =>
    response.writeHead(headers['x-service-attempt'] === '1' ? 500 : 200).end(),
  );
  return fleet.anEndpointAt(receiver);
}

function untilSaid(worker: WorkerProcess, message: string) {
  return until(message, () => worker.output().includes(message));
}

function untilSucceeded(deliveries: readonly WebhookDeliveryRow[]) {
  return until('the deliveries', async () => {
    const ids = deliveries.map(({ id }) => id);
    return (
      (await fleet.database.em().count(WebhookDeliveryEntity, { id: { $in: ids }, status: 'succeeded' })) ===
      ids.length
    );
  });
}

/** How often each activity of the delivery's workflow was tried. */
async function triesOfActivities({ workflowId }: WebhookDeliveryRow): Promise<number[]> {
  const { events } = await fleet.namespace.temporal.ask(async (client) => {
    const handle = client.workflow.getHandle(String(workflowId));
    await handle.result();
    return handle.fetchHistory();
  });
  return (events ?? []).flatMap(({ activityTaskStartedEventAttributes: started }) => started?.attempt ?? []);
}

test.each(['cut', 'hush'] as const)(
  'a worker whose way to the database is %s takes no task, and takes them again afterwards',
  async (how) => {
    const place = await anEndpointThatFailsAtFirst();
    const cutOff = await startOnTheLine();
    const other = await fleet.start(RETRY_DELAYS);
    line[how]();
    await untilSaid(cutOff, 'worker.queues_left');
    const deliveries = [];
    for (let i = 0; i < DELIVERIES; i += 1) deliveries.push(await anEventFor(fleet.database, place));
    await untilSucceeded(deliveries);
    for (const delivery of deliveries)
      expect(new Set(await triesOfActivities(delivery))).toEqual(new Set([1]));
    await fleet.kill(other);
    line.mend();
    await untilSaid(cutOff, 'worker.queues_joined');
    await untilSucceeded([await anEventFor(fleet.database, place)]);
  },
);

test.each(['cut', 'hush'] as const)(
  'a worker whose way to Temporal is %s leaves to another what needs Temporal, until it is there again',
  async (how) => {
    const place = await anEndpointThatFailsAtFirst();
    const cutOff = await fleet.start({ ...RETRY_DELAYS, TEMPORAL_ADDRESS: toTemporal.address });
    const other = await fleet.start(RETRY_DELAYS);
    toTemporal[how]();
    const first: WebhookDeliveryRow[] = [];
    await until('an outage that is noticed', async () => {
      first.push(await anEventFor(fleet.database, place));
      return cutOff.output().includes('temporal.away');
    });
    await untilSucceeded(first);
    const failed = () => cutOff.output().split('outbox.failed').length;
    const before = failed();
    const second: WebhookDeliveryRow[] = [];
    for (let i = 0; i < DELIVERIES; i += 1) second.push(await anEventFor(fleet.database, place));
    await untilSucceeded(second);
    expect(failed()).toBe(before);
    await fleet.kill(other);
    toTemporal.mend();
    await untilSucceeded([await anEventFor(fleet.database, place)]);
  },
);

test('what a worker has heard from a receiver and cannot record is recorded by another', async () => {
  const receiver = await fleet.startReceiver();
  const place = await fleet.anEndpointAt(receiver);
  const answer = Promise.withResolvers<void>();
  receiver.script(
    (response) => response.writeHead(500).end(),
    (response) => void answer.promise.then(() => response.writeHead(200).end()),
  );
  await startOnTheLine();
  const delivery = await anEventFor(fleet.database, place);
  await receiver.received(2);
  await fleet.start(RETRY_DELAYS);
  line.cut();
  answer.resolve();
  await untilSucceeded([delivery]);
  expect(receiver.requests).toHaveLength(2);
});

test('a worker whose database is gone without a word goes on at the next one', async () => {
  const receiver = await fleet.startReceiver();
  const place = await fleet.anEndpointAt(receiver);
  const worker = await startOnTheLine();
  await until('a lease that is not renewed', () => {
    line.strand();
    return worker.output().includes('worker.queues_left');
  });
  await anEventFor(fleet.database, place);
  await until('its event', () => receiver.requests.length === 1, NOTICED_WITHIN_MS);
});
