import { z } from 'zod';
import { replayedDeliveries } from '../../domain/named-enums.schema.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { instantParameter, instantText, integerParameter } from '../contract/fields.ts';
import { byId, TAG } from './endpoint-schemas.contract.ts';

export const SINCE = 'Events created from then on, inclusive, with an offset.';
export const UNTIL = 'Events created before that; now unless told.';
export const includedDeliveries = replayedDeliveries
  .optional()
  .describe('Only these, or `all`; skipped and failed ones unless told.');

/** A person wants to know whether it is 3 or thousands; a replay itself has no such limit. */
export const MOST_PREVIEWED = 10_000;

/** What is looked at for statistics. */
export const MOST_COUNTED = 10_000;

const count = (of: string) => z.int().min(0).describe(of);

const statisticsSchema = z
  .object({
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
  })
  .meta({ id: 'WebhookEndpointStatistics', description: 'How an endpoint has fared of late.' });

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
  getWebhookEndpointStatistics: {
    method: 'GET',
    path: '/v1/webhook-endpoints/{id}/stats',
    tag: TAG,
    summary: 'How an endpoint has fared of late',
    description:
      'Of the deliveries created within the last `hours`, and all their attempts until now; test events do not count. Of more ' +
      'than 10,000 deliveries the newest 10,000 are counted, and `isComplete` is false.',
    access: ['webhooks:read'],
    request: {
      path: byId,
      query: z.strictObject({
        hours: integerParameter({ minimum: 1, maximum: 168, default: 24 }).describe(
          'How far back, from 1 to 168 hours, a week; 24 unless told.',
        ),
      }),
    },
    responses: {
      200: {
        description: 'The figures.',
        schema: statisticsSchema,
        example: {
          hours: 24,
          since: '2026-03-01T09:30:00.000Z',
          isComplete: true,
          deliveries: { pending: 0, retrying: 1, succeeded: 118, failed: 0, skipped: 0 },
          attempts: 125,
          successRate: 0.944,
          durationMs: { p50: 120, p95: 840 },
          errors: { http_5xx: 5, deadline_exceeded: 2 },
        },
      },
    },
    errors: ['not_found'],
  },
});
