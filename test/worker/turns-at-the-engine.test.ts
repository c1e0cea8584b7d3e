import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { Client } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { DeliveryInQuestion, DeliveryReport } from '../../sending/delivery-report.ts';
import { WEBHOOK_DELIVERY_QUEUE } from '../../domain/temporal-names.ts';
import { cachedWorkflowBundle } from '../../worker/bundle/bundle-cache.ts';
import { installTemporalRuntime } from '../../worker/temporal-runtime.ts';
import { deliveryStart } from '../../worker/temporal/workflow-starts.ts';
import { realTemporal } from '../support/temporal.ts';
import { testLogger } from '../support/test-logger.ts';
import { until } from '../support/until.ts';
import { createTestNamespace } from './test-namespace.ts';
import { forSuite } from '../support/for-suite.ts';

const OF_BUSY = 150;
const QUIET = 9;
const ROUNDS = 4;

installTemporalRuntime(testLogger());
const connection = await forSuite(NativeConnection.connect({ address: realTemporal().address }));

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

/** Where the middle one of the clinics with one attempt each came among all that were asked for. */
async function placeOfQuiet(): Promise<number> {
  const { namespace, temporal } = await createTestNamespace();
  await using _ = temporal;
  const client = new Client({ connection, namespace });
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
    namespace,
    workflowBundle: await cachedWorkflowBundle({
      signal: new AbortController().signal,
      logger: testLogger(),
    }),
    taskQueue: WEBHOOK_DELIVERY_QUEUE,
    activities: { attemptDelivery },
  });
  await worker.runUntil(until('all', () => asked.length >= OF_BUSY + QUIET));
  const places = quiet.map((clinic) => asked.indexOf(clinic)).sort((a, b) => a - b);
  return places[(QUIET - 1) / 2] ?? Infinity;
}

/**
 * The engine keeps a queue in parts that are served each for itself, and turns are taken within a part. So one clinic may have
 * bad luck, and now and then most of them; without turns all come last every time.
 */
test('clinics with one attempt each do not wait at the engine behind another’s many that came before', async () => {
  const places: number[] = [];
  while (places.length < ROUNDS && !places.some((place) => place < OF_BUSY / 2))
    places.push(await placeOfQuiet());
  expect(Math.min(...places)).toBeLessThan(OF_BUSY / 2);
});
