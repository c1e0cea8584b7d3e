import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { DeliveryInQuestion, DeliveryReport } from '../../activities/delivery-report.ts';
import { WEBHOOK_DELIVERY_QUEUE } from '../../domain/temporal-names.ts';
import { keptWorkflowBundle } from '../../worker/bundle/kept-bundle.ts';
import { installTemporalRuntime } from '../../worker/temporal-runtime.ts';
import { deliveryStart } from '../../worker/outbox/workflow-starts.ts';
import { testLogger } from '../support/test-logger.ts';
import { until } from '../support/until.ts';
import { createTestNamespace, type TestNamespace } from './test-namespace.ts';

const OF_BUSY = 150;
const QUIET = 9;

let namespace: TestNamespace;
let connection: NativeConnection;
beforeAll(async () => {
  installTemporalRuntime(testLogger());
  namespace = await createTestNamespace();
  connection = await NativeConnection.connect({ address: namespace.address });
});
afterAll(async () => {
  await connection.close();
  await namespace.temporal[Symbol.asyncDispose]();
});

/** A workflow that will ask for an attempt. */
async function startDelivery(client: Client, tenantId: string): Promise<void> {
  const [deliveryId, endpointId] = [randomUUID(), randomUUID()];
  const delivery = {
    deliveryId,
    tenantId,
    endpointId,
    eventType: 'nps.submitted',
    appointmentId: null,
  } as const;
  const { workflowType, ...options } = deliveryStart(
    { ...delivery, workflowId: `delivery:${deliveryId}` },
    {},
  );
  await client.workflow.start(workflowType, options);
}

/** The engine keeps a queue in parts that are served each for itself, and turns are taken within a part: one clinic may have bad luck. */
test('clinics with one attempt each do not wait at the engine behind another’s many that came before', async () => {
  const client = new Client({ connection, namespace: namespace.namespace });
  const busy = randomUUID();
  const quiet = Array.from({ length: QUIET }, () => randomUUID());
  await Promise.all(Array.from({ length: OF_BUSY }, () => startDelivery(client, busy)));
  for (const clinic of quiet) await startDelivery(client, clinic);
  const asked: string[] = [];
  const attemptDelivery = async ({ clinicId }: DeliveryInQuestion): Promise<DeliveryReport> => {
    asked.push(clinicId);
    return { status: 'unknown', attempts: 0, lastOutcome: 'none' };
  };
  const worker = await Worker.create({
    connection,
    namespace: namespace.namespace,
    workflowBundle: await keptWorkflowBundle({ signal: new AbortController().signal, logger: testLogger() }),
    taskQueue: WEBHOOK_DELIVERY_QUEUE,
    activities: { attemptDelivery },
  });
  await worker.runUntil(until('the quiet ones', () => quiet.every((clinic) => asked.includes(clinic))));
  const places = quiet.map((clinic) => asked.indexOf(clinic)).sort((a, b) => a - b);
  expect(places[(QUIET - 1) / 2]).toBeLessThan(OF_BUSY / 2);
});
