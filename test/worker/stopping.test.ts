import { expect, test } from '@jest/globals';
import { retryDeliveryNow } from '../../commands/webhooks/sending-again/retry-now.ts';
import {
  WebhookDeliveryEntity,
  type WebhookDeliveryRow,
} from '../../db/entities/webhooks/webhook-delivery.entity.ts';
import { DELIVERY_WORKFLOW, RETRY_NOW_SIGNAL } from '../../domain/temporal-names.ts';
import { aClinic } from '../support/clinic.ts';
import { answerWith } from '../support/servers/receiver.ts';
import { until } from '../support/until.ts';
import { anEventFor } from '../webhooks/recorded-attempts.ts';
import { createWorkerSurroundings } from './running-worker.ts';
import { forSuite } from '../support/for-suite.ts';

const surroundings = await forSuite(createWorkerSurroundings());

async function anEndpoint() {
  const { tenantId } = await aClinic(surroundings.database);
  const receiver = await surroundings.startReceiver();
  const { endpointId } = await surroundings.subscribe(tenantId, receiver.url());
  return { tenantId, endpointId, receiver };
}

function untilStatus({ id }: WebhookDeliveryRow, status: string): Promise<unknown> {
  return until(`a delivery that is ${status}`, async () => {
    const now = await surroundings.database.em().findOneOrFail(WebhookDeliveryEntity, { id });
    return now.status === status;
  });
}

test('a worker that is stopped takes no retry any more, while it waits for the first attempt that is under way', async () => {
  const { database, namespace } = surroundings;
  const [failing, slow] = [await anEndpoint(), await anEndpoint()];
  const worker = await surroundings.startWorker();
  failing.receiver.script(answerWith(503));
  const retried = await anEventFor(database, failing);
  await untilStatus(retried, 'retrying');
  // It never answers, so this attempt ends with its time limit.
  slow.receiver.script(() => undefined);
  await anEventFor(database, slow);
  await until('the attempt to be under way', () => slow.receiver.requests.length === 1);
  await until('the workflow of the retry', async () => {
    const { count } = await namespace.temporal.ask((client) =>
      client.workflow.count(`WorkflowType = '${DELIVERY_WORKFLOW}' AND WorkflowId = '${retried.workflowId}'`),
    );
    return count === 1;
  });

  const stopped = worker.stop();
  await database.write((em) => retryDeliveryNow(em, { tenantId: retried.tenantId, deliveryId: retried.id }));
  await namespace.temporal.ask((client) =>
    client.workflow.getHandle(String(retried.workflowId)).signal(RETRY_NOW_SIGNAL, { isDue: true }),
  );
  await stopped;
  expect(failing.receiver.requests).toHaveLength(1);

  const next = await surroundings.startWorker();
  await untilStatus(retried, 'succeeded');
  expect(failing.receiver.requests).toHaveLength(2);
  await next.stop();
});
