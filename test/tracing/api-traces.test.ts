import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { openTracing } from '../../adapters/tracing/open-tracing.ts';
import { WebhookEventEntity } from '../../db/entities/webhooks/webhook-event.entity.ts';
import { PROJECT_ROOT } from '../../dev/processes/run-script.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { bookingBody, inHours } from '../support/clinic.ts';
import { aLog } from '../support/test-logger.ts';
import { until } from '../support/until.ts';
import { startSpanCollector } from './span-collector.ts';
import { forSuite } from '../support/for-suite.ts';

const collector = await forSuite(startSpanCollector());
process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = collector.url;
const opened = await openTracing({ ratio: 1 }, 'clinic-api');
const { lines, logger } = aLog();
const api = await suiteApi({ tracing: opened.tracing, logger });
const isAnswer = ({ event }: Record<string, unknown>) => event === 'request.completed';
afterAll(() => void delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT']);

test('a request is a span of its caller’s trace, which the event that it caused names; the patient is in none', async () => {
  const { client } = api;
  const trace = '0af7651916cd43dd8448eb211c80319c';
  const headers = { traceparent: `00-${trace}-b7ad6b7169203331-01` };
  const booked = await client.post('/v1/appointments', bookingBody(api.clinic, inHours(24)), headers);
  const id = String(booked.body['id']);
  await client.get(`/v1/appointments/${id}`);
  await client.get(`/v1/appointments/${id}`, { phone: '+351912345678' });
  await until('the last line', () => lines.filter(isAnswer).length === 3);
  expect(lines.find(isAnswer)).toMatchObject({
    requestId: booked.headers.get('x-request-id'),
    trace_id: trace,
  });
  // Sends what has gathered.
  await opened[Symbol.asyncDispose]();

  const spans = await collector.spans('POST /v1/appointments', 'GET /v1/appointments/{id}');
  const [booking, reading, refused] = spans;
  expect(booking).toMatchObject({ traceId: trace, parentSpanId: 'b7ad6b7169203331' });
  expect(booking?.attributes).toMatchObject({
    'http.route': '/v1/appointments',
    'http.response.status_code': 201,
    'clinic.id': api.clinic.tenantId,
    'clinic.request.id': booked.headers.get('x-request-id'),
  });
  expect(reading?.traceId).not.toBe(trace);
  expect(refused?.attributes).toMatchObject({ 'http.response.status_code': 422 });
  const event = await api.database.em().findOneOrFail(WebhookEventEntity, { appointmentId: id });
  expect(event.traceParent).toBe(`00-${trace}-${booking?.spanId}-01`);
  expect(collector.texts.join('\n')).not.toMatch(/Maria|351912345678|svc_test_/);
  expect(collector.texts.join('\n')).not.toContain(id);
});

test('every line that is logged in a span names the trace, and lines outside name none', async () => {
  const { lines: own, logger: log } = aLog();
  const span = { name: 'work', kind: 'internal', parent: null, attributes: {} } as const;
  const traceParent = await opened.tracing?.span(span, async (open) => {
    log.info({ attempt: 1 }, 'inside');
    return open.traceParent;
  });
  log.info({ attempt: 2 }, 'outside');
  const [, traceId, spanId] = traceParent?.split('-') ?? [];
  expect(own[0]).toMatchObject({ event: 'inside', attempt: 1, trace_id: traceId, span_id: spanId });
  expect(own[1]).toMatchObject({ event: 'outside', attempt: 2 });
  expect(own[1]).not.toHaveProperty('trace_id');
});

test('where no one follows requests, nothing of OpenTelemetry is loaded', async () => {
  const rooms = ['activities', 'adapters', 'api', 'commands', 'db', 'domain', 'sending', 'worker'];
  const sources = rooms.flatMap((room) =>
    readdirSync(join(PROJECT_ROOT, room), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(room, file)),
  );
  const naming = (text: string) =>
    sources.filter((file) => readFileSync(join(PROJECT_ROOT, file), 'utf8').includes(text));
  expect(naming("from '@opentelemetry/")).toEqual(['adapters/tracing/otlp-tracing.ts']);
  expect(naming("/otlp-tracing.ts'")).toEqual(['adapters/tracing/open-tracing.ts']);
  expect(naming("await import('./otlp-tracing.ts')")).toEqual(['adapters/tracing/open-tracing.ts']);
  expect((await openTracing(null, 'clinic-api')).tracing).toBeNull();
});
