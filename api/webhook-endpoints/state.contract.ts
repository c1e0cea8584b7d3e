import { z } from 'zod';
import { DEFAULT_PAUSE_HOURS, MAX_PAUSE_HOURS } from '../../commands/webhooks/pause-endpoint.ts';
import { oneAnswer } from '../contract/answers.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { endpointExample, endpointSchema, TAG } from './contract.ts';

/** Requests that change the status of an endpoint. */
export const webhookEndpointStateContracts = defineContracts(TAG, 'endpoint', {
  enableWebhookEndpoint: {
    operation: 'POST /v1/webhook-endpoints/{id}/enable',
    access: ['webhooks:write'],
    summary: 'Enable an endpoint',
    description:
      'Makes it active, however it was disabled, and ends a pause. Missed events are not resent automatically: use `replay`.',
    responses: oneAnswer(200, 'The changed endpoint.', endpointSchema, endpointExample),
  },
  pauseWebhookEndpoint: {
    operation: 'POST /v1/webhook-endpoints/{id}/pause',
    access: ['webhooks:write'],
    summary: 'Pause an endpoint',
    description:
      'Deliveries wait without attempts until the pause ends, at the latest after `hours`. Then they are sent, oldest first. ' +
      'Meanwhile the endpoint does not start failing, and the countdown of a failing one stands still. A second pause replaces ' +
      'the end.',
    body: {
      isOptional: true,
      schema: z.strictObject({
        hours: z
          .int()
          .min(1)
          .max(MAX_PAUSE_HOURS)
          .default(DEFAULT_PAUSE_HOURS)
          .describe('Hours until the pause ends by itself, 1 to 168 (a week). By default, 24.'),
      }),
      examples: { night: { hours: 8 } },
    },
    responses: oneAnswer(200, 'The paused endpoint.', endpointSchema, {
      ...endpointExample,
      status: 'paused' as const,
      pausedUntil: '2026-02-21T00:45:12.345Z',
    }),
    errors: ['endpoint_deactivated'],
  },
  resumeWebhookEndpoint: {
    operation: 'POST /v1/webhook-endpoints/{id}/resume',
    access: ['webhooks:write'],
    summary: 'Resume an endpoint',
    description:
      'Ends a pause: the endpoint has its earlier status again. Without a pause, it changes nothing.',
    responses: oneAnswer(200, 'The endpoint.', endpointSchema, endpointExample),
  },
});
