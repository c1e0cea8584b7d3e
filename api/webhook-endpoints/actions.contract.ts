import { z } from 'zod';
import { LONGEST_OVERLAP_SECONDS } from '../../commands/webhooks/rotate-secret.ts';
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
import { endpointExample, endpointSchema, endpointWithSecretSchema, secretExample, TAG } from './contract.ts';

export const retriedSchema = component('WebhookRetry', 'What is retried now.', {
  deliveries: z.int().min(0).describe('How many were brought forward.'),
});

const SINCE = 'Events created from then on, inclusive, with an offset.';
const UNTIL = 'Events created before that; now unless told.';
const includedDeliveries = replayedDeliveries
  .optional()
  .describe('Only these, or `all`; skipped and failed ones unless told.');

/** A person wants to know whether it is 3 or thousands; a replay itself has no such limit. */
export const MOST_PREVIEWED = 10_000;

/** What is looked at for statistics. */
export const MOST_COUNTED = 10_000;

const count = (of: string) => z.int().min(0).describe(of);

const statisticsSchema = component('WebhookEndpointStatistics', 'How an endpoint has fared of late.', {
  hours: count('How many hours back it looks, as asked for.'),
  since: instantText().describe('Deliveries created from then on are counted.'),
  isComplete: z
    .boolean()
    .describe(
      'False: these are the newest 10,000 deliveries, and `since` is when the first of them was created.',
    ),
  deliveries: z
    .object({
      pending: count('Not attempted yet.'),
      retrying: count('Failed so far; the next attempt is to come.'),
      succeeded: count('Answered with a 2xx.'),
      failed: count('Six attempts failed.'),
      skipped: count('The endpoint was off.'),
    })
    .describe('How many deliveries there are in each status now.'),
  attempts: count('How many attempts those deliveries have had.'),
  successRate: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe('The share of the attempts that succeeded, from 0 to 1; null when there is none.'),
  durationMs: z
    .object({
      p50: z.int().nullable().describe('Half of the attempts took at most so long.'),
      p95: z.int().nullable().describe('95 of 100 attempts took at most so long.'),
    })
    .describe('How long attempts took, in milliseconds; null when there is none.'),
  errors: z
    .record(z.string(), z.int().min(1))
    .describe('How many attempts failed in which way, by error class; without those that did not occur.'),
});

export const webhookEndpointActionContracts = defineContracts(TAG, 'endpoint', {
  enableWebhookEndpoint: {
    operation: 'POST /v1/webhook-endpoints/{id}/enable',
    access: ['webhooks:write'],
    summary: 'Bring an endpoint back',
    description:
      'Makes it active, whatever stopped it. What it missed is not sent by itself: ask for a replay.',
    responses: oneAnswer(200, 'The endpoint as it is now.', endpointSchema, endpointExample),
  },
  rotateWebhookSecret: {
    operation: 'POST /v1/webhook-endpoints/{id}/rotate-secret',
    access: ['webhooks:write'],
    showsSecret: true,
    summary: 'Give an endpoint a new secret',
    description:
      'Until `overlapSeconds` have passed, deliveries carry a signature for the old secret as well, after the new one. ' +
      'With 0 the old one ends at once. At most four old secrets go on; older ones end.',
    body: overlapBody(
      LONGEST_OVERLAP_SECONDS,
      'How long the old secret still signs, from 0 to 86400 seconds; 86400, a day, unless told.',
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
      'A `webhook.test`, sent and signed like every event, once and without retries. It does not touch the endpoint’s ' +
      'health. With `type` it shows an example of that type’s data.',
    body: {
      isOptional: true,
      schema: z.strictObject({
        type: eventType.optional().describe('Shows an example of this type’s data.'),
      }),
      examples: { plain: {}, example: { type: 'appointment.created' } },
    },
    responses: oneAnswer(
      202,
      'It is on its way; the delivery tells what became of it.',
      component('WebhookTest', 'A test event on its way.', {
        eventId: z.string().describe('The test event.'),
        deliveryId: id().describe('Its delivery, which tells what became of it.'),
      }),
      {
        eventId: 'evt_0195571c5a607a3e9f002f5d1c9b7a30',
        deliveryId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a60',
      },
    ),
    errors: ['endpoint_deactivated'],
  },
  retryWebhookEndpointNow: {
    operation: 'POST /v1/webhook-endpoints/{id}/retry-now',
    access: ['webhooks:write'],
    summary: 'Retry everything that waits, now',
    description:
      'For a receiver that works again: makes the next attempt of each delivery that waits for a retry due now, the oldest ' +
      'first. It adds no attempts, and no more of them are under way at a time than usual. It takes up to 10,000; when ' +
      'that many were counted, ask again for the next ones.',
    responses: oneAnswer(202, 'How many deliveries were brought forward.', retriedSchema, { deliveries: 42 }),
    errors: ['endpoint_deactivated'],
  },
  replayWebhookDeliveries: {
    operation: 'POST /v1/webhook-endpoints/{id}/replay',
    access: ['webhooks:write'],
    summary: 'Send events again',
    description:
      'Makes a new delivery for each event created from `since` on, in order of creation, judged by the newest delivery ' +
      'of each: skipped and failed ones unless `include` says otherwise. Events that have reached the endpoint by ' +
      'another delivery are sent again only with `all`. Deliveries start a page at a time; what ends after the request ' +
      'is left to the next replay.',
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
      'How many deliveries there will be.',
      component('WebhookReplay', 'What a replay sends.', {
        deliveries: z.int().min(0).describe('How many there will be.'),
      }),
      { deliveries: 42 },
    ),
    errors: ['endpoint_deactivated'],
  },
  previewWebhookReplay: {
    operation: 'GET /v1/webhook-endpoints/{id}/replay-preview',
    summary: 'How many deliveries a replay would make',
    description:
      'Takes what `POST …/replay` takes, by the same rules, and sends nothing. It also answers for an endpoint that is off, ' +
      'for what a replay would send once it is enabled. It counts no further than 10,000: that many means so many or more.',
    access: ['webhooks:read'],
    query: z.strictObject({
      since: instantParameter().meta({ description: SINCE }),
      until: instantParameter().optional().meta({ description: UNTIL }),
      include: includedDeliveries,
    }),
    responses: oneAnswer(
      200,
      'How many there would be now.',
      component('WebhookReplayPreview', 'What a replay would send.', {
        deliveries: z.int().min(0).max(MOST_PREVIEWED).describe('How many there would be, up to 10,000.'),
      }),
      { deliveries: 42 },
    ),
  },
  getWebhookEndpointStatistics: {
    operation: 'GET /v1/webhook-endpoints/{id}/stats',
    summary: 'How an endpoint has fared of late',
    description:
      'Of the deliveries created within the last `hours`, and all their attempts until now; test events do not count. Of more ' +
      'than 10,000 deliveries the newest 10,000 are counted, and `isComplete` is false.',
    access: ['webhooks:read'],
    query: z.strictObject({
      hours: integerParameter({ minimum: 1, maximum: 168, default: 24 }).describe(
        'How far back, from 1 to 168 hours, a week; 24 unless told.',
      ),
    }),
    responses: oneAnswer(200, 'The figures.', statisticsSchema, {
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
