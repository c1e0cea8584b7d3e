import { z } from 'zod';
import { anyEventType, attemptOutcome, deliveryStatus, errorClass } from '../../domain/named-enums.schema.ts';
import { cursorOf } from '../contract/cursor.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { id, instantText, integerParameter, pageOf } from '../contract/fields.ts';
import { eventIdParameter } from '../webhook-events/event-id.ts';

const TAG = 'Delivery log';

const attemptSchema = z
  .object({
    number: z.int().min(1),
    startedAt: instantText(),
    durationMs: z.int().min(0),
    outcome: attemptOutcome,
    errorClass: errorClass.nullable(),
    responseStatus: z.int().nullable(),
  })
  .meta({ id: 'WebhookAttempt' });

const attemptDetailSchema = attemptSchema
  .extend({
    responseExcerpt: z.string().nullable().meta({ description: 'The first 16 KiB of the answer.' }),
  })
  .meta({ id: 'WebhookAttemptDetail' });

export const deliverySchema = z
  .object({
    id: id(),
    eventId: z.string(),
    eventType: anyEventType,
    endpointId: id(),
    endpointUrl: z.string().meta({ description: 'Where the endpoint is now.' }),
    appointmentId: id().nullable().meta({ description: 'The appointment that the event is about.' }),
    status: deliveryStatus,
    attemptCount: z.int().min(0),
    nextAttemptAt: instantText().nullable(),
    resendOf: id().nullable().meta({ description: 'The delivery that this one repeats.' }),
    workflowId: z.string().meta({ description: 'The Temporal workflow that makes the attempts.' }),
    createdAt: instantText(),
    attempts: z.array(attemptSchema),
  })
  .meta({ id: 'WebhookDelivery' });

const deliveryDetailSchema = deliverySchema
  .extend({ attempts: z.array(attemptDetailSchema) })
  .meta({ id: 'WebhookDeliveryDetail' });

/** The id of the last delivery shown. */
export const deliveryCursor = cursorOf('deliveries', z.guid());

const byId = z.strictObject({ id: id() });

export const deliveryExample = {
  id: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a60',
  eventId: 'evt_0195571c5a607a3e9f002f5d1c9b7a30',
  eventType: 'appointment.created' as const,
  endpointId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a50',
  endpointUrl: 'https://pms.sorriso.example/webhooks',
  appointmentId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a20',
  status: 'retrying' as const,
  attemptCount: 1,
  nextAttemptAt: '2026-03-02T09:30:31.250Z',
  resendOf: null,
  workflowId: 'delivery:evt_0195571c5a607a3e9f002f5d1c9b7a30:0195571c-5a60-7a3e-9f00-2f5d1c9b7a50',
  createdAt: '2026-03-02T09:30:00.420Z',
  attempts: [
    {
      number: 1,
      startedAt: '2026-03-02T09:30:01.000Z',
      durationMs: 250,
      outcome: 'failed' as const,
      errorClass: 'http_5xx' as const,
      responseStatus: 503,
    },
  ],
};

const detailExample = {
  ...deliveryExample,
  attempts: deliveryExample.attempts.map((attempt) => ({
    ...attempt,
    responseExcerpt: 'Service Unavailable',
  })),
};

export const webhookDeliveryContracts = defineContracts({
  listWebhookDeliveries: {
    method: 'GET',
    path: '/v1/webhook-deliveries',
    tag: TAG,
    summary: 'Deliveries with their attempts, newest first',
    description:
      'In pages: pass `nextCursor` as `cursor` while `hasMore`. New deliveries do not disturb the paging.',
    access: ['webhooks:read'],
    rateClass: 'key',
    request: {
      query: z.strictObject({
        endpointId: id().optional(),
        status: deliveryStatus.optional(),
        eventType: anyEventType.optional(),
        eventId: eventIdParameter().optional(),
        appointmentId: id().optional(),
        cursor: deliveryCursor.parameter.optional(),
        limit: integerParameter({ minimum: 1, maximum: 100, default: 50 }),
      }),
    },
    responses: {
      200: {
        description: 'A page of deliveries.',
        schema: pageOf(deliverySchema, 'WebhookDeliveryPage'),
        example: { items: [deliveryExample], nextCursor: null, hasMore: false },
      },
    },
    errors: [],
  },
  getWebhookDelivery: {
    method: 'GET',
    path: '/v1/webhook-deliveries/{id}',
    tag: TAG,
    summary: 'One delivery with its attempts and what the receiver answered',
    access: ['webhooks:read'],
    rateClass: 'key',
    request: { path: byId },
    responses: {
      200: { description: 'The delivery.', schema: deliveryDetailSchema, example: detailExample },
    },
    errors: ['not_found'],
  },
  resendWebhookDelivery: {
    method: 'POST',
    path: '/v1/webhook-deliveries/{id}/resend',
    tag: TAG,
    summary: 'Send an event to its endpoint again',
    description:
      'Makes a new delivery of the same event, with attempts of its own, once this one has ended, well or not.',
    access: ['webhooks:write'],
    rateClass: 'key',
    request: { path: byId },
    responses: {
      202: {
        description: 'The new delivery.',
        schema: deliverySchema,
        example: {
          ...deliveryExample,
          id: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a61',
          status: 'pending' as const,
          attemptCount: 0,
          nextAttemptAt: '2026-03-02T11:02:13.120Z',
          resendOf: deliveryExample.id,
          workflowId: `${deliveryExample.workflowId}:1`,
          createdAt: '2026-03-02T11:02:13.120Z',
          attempts: [],
        },
      },
    },
    errors: ['not_found', 'endpoint_deactivated', 'delivery_open'],
  },
});
