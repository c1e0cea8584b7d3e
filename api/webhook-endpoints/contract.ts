import { z } from 'zod';
import { endpointStatus, subscriptionPattern } from '../../domain/named-enums.schema.ts';
import { endpointRules } from '../../domain/webhooks/endpoint-rules.schema.ts';
import { DEFAULT_SUBSCRIPTION, SUBSCRIPTION_PATTERNS } from '../../domain/webhooks/subscription.ts';
import { component, extension, listOf, oneAnswer } from '../contract/answers.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { id, instantText, orNull } from '../contract/fields.ts';

export const TAG = 'Webhook endpoints';

export const endpointSchema = component(
  'WebhookEndpoint',
  'An address of yours to which events are posted.',
  {
    id: id().describe('Made by the service.'),
    url: z.string().describe('Where events are posted; https.'),
    events: z.array(z.string()).describe('Types, groups such as `appointment.*`, or `*`.'),
    description: z.string().nullable().describe('Your own words, or null.'),
    ignoreActors: z.array(id()).describe('Ids of API keys: what they cause is not sent here.'),
    status: endpointStatus,
    failingSince: instantText().nullable().describe('Since when it is failing; null when it is not.'),
    deactivateAt: instantText()
      .nullable()
      .describe('When a failing endpoint is switched off, 24 hours after `failingSince`; else null.'),
    createdAt: instantText().describe('When it was added.'),
    updatedAt: instantText().describe('When it changed last.'),
  },
);

export const endpointWithSecretSchema = extension(
  endpointSchema,
  'WebhookEndpointWithSecret',
  'An endpoint and its new secret.',
  {
    secret: z.string().describe('Signs every delivery: `whsec_` and base64. It is shown this once.'),
  },
);

export const endpointExample = {
  id: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a42',
  url: 'https://pms.sorriso.example/webhooks',
  events: ['appointment.*', 'call.completed'],
  description: 'Practice management',
  ignoreActors: [],
  status: 'active' as const,
  failingSince: null,
  deactivateAt: null,
  createdAt: '2026-02-20T16:45:12.345Z',
  updatedAt: '2026-02-20T16:45:12.345Z',
};
export const secretExample = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDzJ3bzVp7sD0=';

const url = endpointRules.url
  .regex(/^https:\/\/\S/i, 'must start with https://, because events contain patient data')
  .meta({
    format: 'uri',
    description:
      'https only, at most 2048 characters. The name must lead to public addresses; this is checked now and again at every connection.',
  });
const events = z
  .array(subscriptionPattern)
  .min(1)
  .max(SUBSCRIPTION_PATTERNS.length)
  .transform((patterns) => [...new Set(patterns)])
  .describe('Types, groups such as `appointment.*`, or `*` for all, which is what it gets unless told.');
const ignoreActors = z
  .array(id())
  .max(10)
  .transform((ids) => [...new Set(ids)])
  .describe(
    'At most 10 ids of API keys of the clinic: what they cause is not sent here. A key learns its own from `GET /v1/api-keys/me`.',
  );
/** Of the receiver that the guides start on the reader’s own machine, and where one may move it. */
const RECEIVER_URL = 'https://localhost:8443/hook';
const MOVED_URL = 'https://localhost:8443/hook-of-the-new-system';
const NEEDED_SCOPES =
  'The key also needs the scopes that read what is subscribed to: `appointments:read` for `appointment.*`, `patient.*`, `nps.*` ' +
  'and `triage.*`, `calls:read` for `call.*`, `tenant:read` for `tenant.*`, all three for `*`.';
const enabled = z.boolean().describe('False switches it off, true brings it back.');
const description = endpointRules.description
  .nullable()
  .describe('Your own words, at most 500 characters; null for none.');

export const webhookEndpointContracts = defineContracts(TAG, 'endpoint', {
  listWebhookEndpoints: {
    operation: 'GET /v1/webhook-endpoints',
    summary: 'The clinic’s endpoints, oldest first',
    access: ['webhooks:read'],

    responses: oneAnswer(
      200,
      'Every endpoint that is not deleted.',
      listOf(endpointSchema, 'WebhookEndpointList'),
      { items: [endpointExample] },
    ),
  },
  createWebhookEndpoint: {
    operation: 'POST /v1/webhook-endpoints',
    access: ['webhooks:write'],
    showsSecret: true,
    summary: 'Add an endpoint',
    description:
      'It receives events from now on. The answer holds its secret, which is never shown again. The examples send to a ' +
      'receiver on your own machine, as a sandbox may; elsewhere its address is a public one. ' +
      NEEDED_SCOPES,
    body: {
      schema: z.strictObject({
        url,
        events: events.default([...DEFAULT_SUBSCRIPTION]),
        description: orNull(description),
        ignoreActors: ignoreActors.optional(),
      }),
      examples: {
        everything: { url: RECEIVER_URL },
        some: {
          url: RECEIVER_URL,
          events: endpointExample.events,
          description: endpointExample.description,
        },
      },
    },
    responses: oneAnswer(201, 'The endpoint and its secret.', endpointWithSecretSchema, {
      ...endpointExample,
      url: RECEIVER_URL,
      secret: secretExample,
    }),
    errors: ['endpoint_limit_reached', 'endpoint_exists'],
  },
  getWebhookEndpoint: {
    operation: 'GET /v1/webhook-endpoints/{id}',
    access: ['webhooks:read'],
    summary: 'One endpoint',
    responses: oneAnswer(200, 'The endpoint.', endpointSchema, endpointExample),
  },
  updateWebhookEndpoint: {
    operation: 'PATCH /v1/webhook-endpoints/{id}',
    access: ['webhooks:write'],
    summary: 'Change an endpoint',
    description:
      'Fields not present stay unchanged. A new `url` corrects a failing endpoint. `enabled: false` stops sending: open ' +
      'deliveries end as `skipped`, and so are later events stored; `enabled: true` brings it back. A new `url` or `events`: ' +
      NEEDED_SCOPES,
    body: {
      schema: z.strictObject({ url, events, description, ignoreActors, enabled }).partial(),
      examples: {
        pause: { enabled: false },
        move: { url: MOVED_URL, events: ['*'], description: null, enabled: true },
      },
    },
    responses: oneAnswer(200, 'The endpoint as it is now.', endpointSchema, endpointExample),
    errors: ['endpoint_exists'],
  },
  deleteWebhookEndpoint: {
    operation: 'DELETE /v1/webhook-endpoints/{id}',
    access: ['webhooks:write'],
    summary: 'Remove an endpoint',
    description: 'Open deliveries end as `skipped`. The delivery log keeps what was sent.',
    responses: { 204: { description: 'The endpoint is gone.' } },
  },
});
