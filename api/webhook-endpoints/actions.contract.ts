import { z } from 'zod';
import { MAX_OVERLAP_SECONDS } from '../../commands/webhooks/rotate-secret.ts';
import { eventType, replayedDeliveries } from '../../domain/named-enums.schema.ts';
import { component, oneAnswer } from '../contract/answers.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import {
  id,
  instant,
  instantParameter,
  instantText,
  integerParameter,
  overlapBody,
} from '../contract/fields.ts';
import { endpointExample, endpointWithSecretSchema, secretExample, TAG } from './contract.ts';

export const retriedSchema = component('WebhookRetry', 'The deliveries that are retried now.', {
  deliveries: z.int().min(0).describe('How many deliveries are retried.'),
});

const SINCE = 'Only events created from this time on, inclusive, with an offset.';
const UNTIL = 'Only events created before this time. By default, now.';
const includedDeliveries = replayedDeliveries
  .optional()
  .describe('Only deliveries with this status, or `all`. By default, skipped and failed deliveries.');

/** The most deliveries that a preview counts. A replay has no limit. */
export const MAX_PREVIEWED = 10_000;

/** The number of deliveries that statistics consider. */
export const MAX_COUNTED = 10_000;

const count = (of: string) => z.int().min(0).describe(of);

const statisticsSchema = component('WebhookEndpointStatistics', 'Statistics of an endpoint.', {
  hours: count('The requested number of hours.'),
  since: instantText().describe('Deliveries created from this time on are counted.'),
  isComplete: z
    .boolean()
    .describe(
      'False: only the newest 10,000 deliveries are counted, and `since` is when the first of them was created.',
    ),
  deliveries: z
    .object({
      pending: count('Not attempted yet.'),
      retrying: count('Failed so far; the next attempt is scheduled.'),
      succeeded: count('The endpoint responded with 2xx.'),
      failed: count('Six attempts failed.'),
      skipped: count('The endpoint was disabled.'),
    })
    .describe('The number of deliveries in each status.'),
  attempts: count('The number of attempts of these deliveries.'),
  successRate: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe('The share of successful attempts, 0 to 1. Null without attempts.'),
  durationMs: z
    .object({
      p50: z.int().nullable().describe('Median duration.'),
      p95: z.int().nullable().describe('95th percentile of the duration.'),
    })
    .describe('Durations of attempts in milliseconds. Null without attempts.'),
  errors: z.record(z.string(), z.int().min(1)).describe('The number of failed attempts by error class.'),
});

export const webhookEndpointActionContracts = defineContracts(TAG, 'endpoint', {
  rotateWebhookSecret: {
    operation: 'POST /v1/webhook-endpoints/{id}/rotate-secret',
    access: ['webhooks:write'],
    showsSecret: true,
    summary: 'Rotate the signing secret',
    description:
      'For `overlapSeconds`, deliveries are signed with both secrets, the new one first. ' +
      'With 0, the old secret expires immediately. At most four old secrets stay valid.',
    body: overlapBody(
      MAX_OVERLAP_SECONDS,
      'Seconds until the old secret expires, 0 to 86400. By default, 86400 (a day).',
    ),
    responses: oneAnswer(200, 'The endpoint and its new secret.', endpointWithSecretSchema, {
      ...endpointExample,
      secret: secretExample,
    }),
  },
  sendWebhookTestEvent: {
    operation: 'POST /v1/webhook-endpoints/{id}/test-events',
    access: ['webhooks:write'],
    summary: 'Send a test event',
    description:
      'Sends a signed `webhook.test` event once, without retries. The test does not affect the endpoint’s ' +
      'health. With `type`, the event contains example data of that type.',
    body: {
      isOptional: true,
      schema: z.strictObject({
        type: eventType.optional().describe('Include example data of this type.'),
      }),
      examples: { plain: {}, example: { type: 'appointment.created' } },
    },
    responses: oneAnswer(
      202,
      'The test event is being sent. The delivery shows the result.',
      component('WebhookTest', 'A test event.', {
        eventId: z.string().describe('The test event.'),
        deliveryId: id().describe('Its delivery, which shows the result.'),
      }),
      {
        eventId: 'evt_0195571c5a607a3e9f002f5d1c9b7a30',
        deliveryId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a60',
      },
    ),
    errors: ['endpoint_deactivated', 'endpoint_paused'],
  },
  retryWebhookEndpointNow: {
    operation: 'POST /v1/webhook-endpoints/{id}/retry-now',
    access: ['webhooks:write'],
    summary: 'Retry all waiting deliveries now',
    description:
      'Use this for an endpoint that works again. Makes the next attempt of each waiting delivery now, oldest ' +
      'first, within the usual concurrency limits. Each delivery still has at most six attempts. Retries up to 10,000 deliveries; if ' +
      'the response says 10,000, repeat the request.',
    responses: oneAnswer(202, 'How many deliveries are retried.', retriedSchema, { deliveries: 42 }),
    errors: ['endpoint_deactivated', 'endpoint_paused'],
  },
  replayWebhookDeliveries: {
    operation: 'POST /v1/webhook-endpoints/{id}/replay',
    access: ['webhooks:write'],
    summary: 'Resend missed events',
    description:
      'Creates a new delivery for each event created from `since` on, oldest first. Which events are resent depends on their newest delivery: ' +
      'by default, events whose newest delivery was skipped or failed (see `include`). Events that reached the endpoint by ' +
      'another delivery are resent only with `all`. Deliveries that end after the request ' +
      'are left to the next replay.',
    body: {
      schema: z.strictObject({
        since: instant().describe(SINCE),
        until: instant().optional().describe(UNTIL),
        include: includedDeliveries,
      }),
      examples: {
        missed: { since: '2026-02-18T00:00:00Z' },
        day: { since: '2026-02-18T00:00:00Z', until: '2026-02-19T00:00:00Z', include: 'all' },
      },
    },
    responses: oneAnswer(
      202,
      'The number of deliveries that the replay creates.',
      component('WebhookReplay', 'A started replay.', {
        deliveries: z.int().min(0).describe('The number of deliveries.'),
      }),
      { deliveries: 42 },
    ),
    errors: ['endpoint_deactivated'],
  },
  previewWebhookReplay: {
    operation: 'GET /v1/webhook-endpoints/{id}/replay-preview',
    summary: 'Preview a replay',
    description:
      'Counts what `POST …/replay` with the same parameters would resend, and sends nothing. For a disabled endpoint, it counts ' +
      'what a replay would resend after you enable it. 10,000 means 10,000 or more.',
    access: ['webhooks:read'],
    query: z.strictObject({
      since: instantParameter().meta({ description: SINCE }),
      until: instantParameter().optional().meta({ description: UNTIL }),
      include: includedDeliveries,
    }),
    responses: oneAnswer(
      200,
      'The number of deliveries.',
      component('WebhookReplayPreview', 'A preview of a replay.', {
        deliveries: z.int().min(0).max(MAX_PREVIEWED).describe('The number of deliveries, up to 10,000.'),
      }),
      { deliveries: 42 },
    ),
  },
  getWebhookEndpointStatistics: {
    operation: 'GET /v1/webhook-endpoints/{id}/stats',
    summary: 'Get endpoint statistics',
    description:
      'Counts deliveries created in the last `hours`, with all their attempts, without test events. If there are more ' +
      'than 10,000 deliveries, only the newest 10,000 are counted, and `isComplete` is false.',
    access: ['webhooks:read'],
    query: z.strictObject({
      hours: integerParameter({ minimum: 1, maximum: 168, default: 24 }).describe(
        'Hours to look back, 1 to 168 (a week). By default, 24.',
      ),
    }),
    responses: oneAnswer(200, 'The statistics.', statisticsSchema, {
      hours: 24,
      since: '2026-03-01T09:30:00.000Z',
      isComplete: true,
      deliveries: { pending: 0, retrying: 1, succeeded: 118, failed: 0, skipped: 0 },
      attempts: 125,
      successRate: 0.944,
      durationMs: { p50: 120, p95: 840 },
      errors: { http_5xx: 5, deadline_exceeded: 2 },
    }),
  },
});
