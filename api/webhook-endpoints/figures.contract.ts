import { z } from 'zod';
import { defineContracts } from '../contract/define-contracts.ts';
import { instantParameter } from '../contract/fields.ts';
import { byId, TAG } from './endpoint-schemas.contract.ts';

export const SINCE = 'Events created from then on, inclusive, with an offset.';
export const UNTIL = 'Events created before that; now unless told.';
export const includedDeliveries = z
  .enum(['skipped', 'failed', 'all'])
  .optional()
  .describe('Only these, or `all`; skipped and failed ones unless told.');

/** A person wants to know whether it is 3 or thousands; a replay itself has no such limit. */
export const MOST_PREVIEWED = 10_000;

export const webhookEndpointFigureContracts = defineContracts({
  previewWebhookReplay: {
    method: 'GET',
    path: '/v1/webhook-endpoints/{id}/replay-preview',
    tag: TAG,
    summary: 'How many deliveries a replay would make',
    description:
      'Takes what `POST …/replay` takes, by the same rules, and sends nothing. It also answers for an endpoint that is off, ' +
      'for what a replay would send once it is enabled. It counts no further than 10,000: that many means so many or more.',
    access: ['webhooks:read'],
    request: {
      path: byId,
      query: z.strictObject({
        since: instantParameter().meta({ description: SINCE }),
        until: instantParameter().optional().meta({ description: UNTIL }),
        include: includedDeliveries,
      }),
    },
    responses: {
      200: {
        description: 'How many there would be now.',
        schema: z
          .object({
            deliveries: z.int().min(0).max(MOST_PREVIEWED).describe('How many there would be, up to 10,000.'),
          })
          .meta({ id: 'WebhookReplayPreview', description: 'What a replay would send.' }),
        example: { deliveries: 42 },
      },
    },
    errors: ['not_found'],
  },
});
