import { z } from 'zod';
import { endpointStatus } from '../../domain/named-enums.schema.ts';
import { id, instantText } from '../contract/fields.ts';

export const TAG = 'Webhook endpoints';

const endpointFields = z.object({
  id: id(),
  url: z.string(),
  events: z.array(z.string()).meta({ description: 'Types, groups such as `appointment.*`, or `*`.' }),
  description: z.string().nullable(),
  status: endpointStatus,
  failingSince: instantText().nullable(),
  deactivateAt: instantText().nullable().meta({ description: 'When a failing endpoint is switched off.' }),
  createdAt: instantText(),
  updatedAt: instantText(),
});

export const endpointSchema = endpointFields.meta({ id: 'WebhookEndpoint' });

export const endpointWithSecretSchema = endpointFields
  .extend({
    secret: z.string().meta({ description: 'Signs every delivery. It is shown this once.' }),
  })
  .meta({ id: 'WebhookEndpointWithSecret' });

export const byId = z.strictObject({ id: id() });

export const endpointExample = {
  id: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a50',
  url: 'https://pms.sorriso.example/webhooks',
  events: ['appointment.*', 'call.completed'],
  description: 'Practice management',
  status: 'active' as const,
  failingSince: null,
  deactivateAt: null,
  createdAt: '2026-02-20T16:45:12.345Z',
  updatedAt: '2026-02-20T16:45:12.345Z',
};
export const secretExample = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDzJ3bzVp7sD0=';

/** What the routes that change an endpoint have in common. */
export const ofOneEndpoint = { tag: TAG, access: ['webhooks:write'], rateClass: 'key' } as const;
