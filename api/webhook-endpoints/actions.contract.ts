import { z } from 'zod';
import { LONGEST_OVERLAP_SECONDS } from '../../commands/webhooks/rotate-secret.ts';
import { eventType } from '../../domain/named-enums.schema.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { id, instant } from '../contract/fields.ts';
import { includedDeliveries, SINCE, UNTIL } from './figures.contract.ts';
import {
  byId,
  endpointExample,
  endpointSchema,
  endpointWithSecretSchema,
  ofOneEndpoint,
  secretExample,
} from './endpoint-schemas.contract.ts';

export const retriedSchema = z
  .object({ deliveries: z.int().min(0).describe('How many were brought forward.') })
  .meta({ id: 'WebhookRetry', description: 'What is retried now.' });

export const webhookEndpointActionContracts = defineContracts({
  enableWebhookEndpoint: {
    ...ofOneEndpoint,
    method: 'POST',
    path: '/v1/webhook-endpoints/{id}/enable',
    summary: 'Bring an endpoint back',
    description:
      'Makes it active, whatever stopped it. What it missed is not sent by itself: ask for a replay.',
    request: { path: byId },
    responses: {
      200: { description: 'The endpoint as it is now.', schema: endpointSchema, example: endpointExample },
    },
    errors: ['not_found'],
  },
  rotateWebhookSecret: {
    ...ofOneEndpoint,
    method: 'POST',
    path: '/v1/webhook-endpoints/{id}/rotate-secret',
    showsSecret: true,
    summary: 'Give an endpoint a new secret',
    description:
      'Until `overlapSeconds` have passed, deliveries carry a signature for the old secret as well, after the new one. ' +
      'With 0 the old one ends at once. At most four old secrets go on; older ones end.',
    request: {
      path: byId,
      body: {
        isOptional: true,
        schema: z.strictObject({
          overlapSeconds: z
            .int()
            .min(0)
            .max(LONGEST_OVERLAP_SECONDS)
            .default(LONGEST_OVERLAP_SECONDS)
            .describe(
              'How long the old secret still signs, from 0 to 86400 seconds; 86400, a day, unless told.',
            ),
        }),
        examples: { hour: { overlapSeconds: 3600 } },
      },
    },
    responses: {
      200: {
        description: 'The endpoint and its new secret.',
        schema: endpointWithSecretSchema,
        example: { ...endpointExample, secret: secretExample },
      },
    },
    errors: ['not_found'],
  },
  sendWebhookTestEvent: {
    ...ofOneEndpoint,
    method: 'POST',
    path: '/v1/webhook-endpoints/{id}/test-events',
    summary: 'Send a test event',
    description:
      'A `webhook.test`, sent and signed like every event, once and without retries. It does not touch the endpoint’s ' +
      'health. With `type` it shows an example of that type’s data.',
    request: {
      path: byId,
      body: {
        isOptional: true,
        schema: z.strictObject({
          type: eventType.optional().describe('Shows an example of this type’s data.'),
        }),
        examples: { plain: {}, example: { type: 'appointment.created' } },
      },
    },
    responses: {
      202: {
        description: 'It is on its way; the delivery tells what became of it.',
        schema: z
          .object({
            eventId: z.string().describe('The test event.'),
            deliveryId: id().describe('Its delivery, which tells what became of it.'),
          })
          .meta({ id: 'WebhookTest', description: 'A test event on its way.' }),
        example: {
          eventId: 'evt_0195571c5a607a3e9f002f5d1c9b7a30',
          deliveryId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a60',
        },
      },
    },
    errors: ['not_found', 'endpoint_deactivated'],
  },
  retryWebhookEndpointNow: {
    ...ofOneEndpoint,
    method: 'POST',
    path: '/v1/webhook-endpoints/{id}/retry-now',
    summary: 'Retry everything that waits, now',
    description:
      'For a receiver that works again: makes the next attempt of each delivery that waits for a retry due now, the oldest ' +
      'first. It adds no attempts, and no more of them are under way at a time than usual. It takes up to 10,000; when ' +
      'that many were counted, ask again for the next ones.',
    request: { path: byId },
    responses: {
      202: {
        description: 'How many deliveries were brought forward.',
        schema: retriedSchema,
        example: { deliveries: 42 },
      },
    },
    errors: ['not_found', 'endpoint_deactivated'],
  },
  replayWebhookDeliveries: {
    ...ofOneEndpoint,
    method: 'POST',
    path: '/v1/webhook-endpoints/{id}/replay',
    summary: 'Send events again',
    description:
      'Makes a new delivery for each event created from `since` on, in order of creation, judged by the newest delivery ' +
      'of each: skipped and failed ones unless `include` says otherwise. Events that have reached the endpoint by ' +
      'another delivery are sent again only with `all`. Deliveries start a page at a time; what ends after the request ' +
      'is left to the next replay.',
    request: {
      path: byId,
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
    },
    responses: {
      202: {
        description: 'How many deliveries there will be.',
        schema: z
          .object({ deliveries: z.int().min(0).describe('How many there will be.') })
          .meta({ id: 'WebhookReplay', description: 'What a replay sends.' }),
        example: { deliveries: 42 },
      },
    },
    errors: ['not_found', 'endpoint_deactivated'],
  },
});
