import { z } from 'zod';
import { endpointStatus } from '../../domain/named-enums.schema.ts';
import { id, instantText, pathOf } from '../contract/fields.ts';

export const TAG = 'Webhook endpoints';

export const endpointSchema = z
  .object({
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
  })
  .meta({ id: 'WebhookEndpoint', description: 'An address of yours to which events are posted.' });

export const endpointWithSecretSchema = endpointSchema
  .and(
    z.object({
      secret: z.string().describe('Signs every delivery: `whsec_` and base64. It is shown this once.'),
    }),
  )
  .meta({ id: 'WebhookEndpointWithSecret', description: 'An endpoint and its new secret.' });

export const byId = pathOf('endpoint', id());

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

/** What the routes that change an endpoint have in common. */
export const ofOneEndpoint = { tag: TAG, access: ['webhooks:write'] } as const;
