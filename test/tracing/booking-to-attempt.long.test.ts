import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { keepSchedules } from '../../adapters/temporal/schedules.ts';
import { startApiProcess } from '../support/servers/api-process.ts';
import { createApiClient } from '../support/api-client.ts';
import { aClinic, aKey, bookingBody, inHours } from '../support/clinic.ts';
import { answerWith } from '../support/servers/receiver.ts';
import { createWorkerSurroundings } from '../worker/running-worker.ts';
import { startWorkerProcess } from '../worker/worker-process.ts';
import { startSpanCollector } from './span-collector.ts';

const CALLERS = '0af7651916cd43dd8448eb211c80319c';

test('a booking is followed from its request to the first attempt and the retry of its webhook, without the patient', async () => {
  await using collector = await startSpanCollector();
  const surroundings = await createWorkerSurroundings();
  const { database, databaseUrl, namespace, encryptionKey, authority } = surroundings;
  const directory = await mkdtemp(join(tmpdir(), 'traces-test-'));
  await writeFile(join(directory, 'ca.pem'), authority.caPem);
  await namespace.temporal.ask(keepSchedules);
  const clinic = await aClinic(database);
  const { tenantId } = clinic;
  const receiver = await surroundings.startReceiver();
  receiver.script(answerWith(503));
  const { endpointId } = await surroundings.subscribe(tenantId, receiver.url());
  const key = await aKey(database, tenantId);
  const traced = { ENCRYPTION_KEY: encryptionKey, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const worker = startWorkerProcess({
    ...traced,
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: namespace.address,
    TEMPORAL_NAMESPACE: namespace.namespace,
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
    WEBHOOK_CA_FILE: join(directory, 'ca.pem'),
    WEBHOOK_RETRY_DELAYS_SECONDS: '1,1,1,1,1',
  });
  await worker.ready;
  const api = await startApiProcess(databaseUrl, traced);
  const headers = { traceparent: `00-${CALLERS}-b7ad6b7169203331-01` };
  const booked = await createApiClient(api.url, key).post(
    '/v1/appointments',
    bookingBody(clinic, inHours(24)),
    headers,
  );
  expect(booked.status).toBe(201);
  await receiver.received(2);

  const names = [
    'POST /v1/appointments',
    'dispatch delivery',
    'attempt 1',
    'activity attemptDelivery',
    'attempt 2',
  ];
  const spans = await collector.spans(...names);
  const [request, dispatch, first, activity, second] = names.map((name) =>
    spans.find((span) => span.name === name),
  );
  const trace = [request, dispatch, first, activity, second];
  expect(trace.map((span) => span?.traceId)).toEqual(trace.map(() => CALLERS));
  expect(trace.map((span) => span?.parentSpanId)).toEqual([
    'b7ad6b7169203331',
    request?.spanId,
    dispatch?.spanId,
    request?.spanId,
    activity?.spanId,
  ]);
  expect(trace.map((span) => span?.service)).toEqual([
    'clinic-api',
    ...trace.slice(1).map(() => 'clinic-worker'),
  ]);
  expect(request?.attributes).toMatchObject({
    'http.route': '/v1/appointments',
    'http.response.status_code': 201,
    'clinic.id': tenantId,
  });
  expect(first?.attributes).toMatchObject({
    'clinic.endpoint.id': endpointId,
    'clinic.event.type': 'appointment.created',
    'http.response.status_code': 503,
    'error.type': 'http_5xx',
  });
  expect(second?.status.code ?? 0).toBe(0);
  worker.child.kill('SIGTERM');
  expect(await Promise.all([api.stop(), worker.ended])).toEqual([0, 0]);
  expect(collector.texts.join('\n')).not.toMatch(/Maria|Santos|\+351|912345678|localhost|svc_test_/);
  await rm(directory, { recursive: true });
  await surroundings[Symbol.asyncDispose]();
});
