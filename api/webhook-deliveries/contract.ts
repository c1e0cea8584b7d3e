import { z } from 'zod';
import { anyEventType, attemptOutcome, deliveryStatus, errorClass } from '../../domain/named-enums.schema.ts';
import { shownHeaders } from '../../domain/webhooks/webhook-headers.ts';
import { cursorById } from '../../domain/cursor.schema.ts';
import { component, extension, oneAnswer, pageAnswer } from '../contract/answers.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { showsAnswers } from '../contract/shown-patients.ts';
import { creationTime, eventIdParameter, id, instantText, limitParameter } from '../contract/fields.ts';
import { retriedSchema } from '../webhook-endpoints/actions.contract.ts';

export const attemptSchema = component('WebhookAttempt', 'One attempt to send an event.', {
  number: z.int().min(1).describe('1 to 6.'),
  url: z.string().nullable().describe('Where it was sent; null when that was not kept.'),
  startedAt: instantText().describe('When it began.'),
  durationMs: z.int().min(0).describe('How long it took, in milliseconds; at most about 10,000.'),
  outcome: attemptOutcome,
  errorClass: errorClass.nullable().describe('Why it failed; null when it succeeded.'),
  responseStatus: z.int().nullable().describe('The receiver’s HTTP status; null when there was no answer.'),
});

const attemptDetailSchema = extension(
  attemptSchema,
  'WebhookAttemptDetail',
  'An attempt with what was sent and what the receiver answered.',
  {
    requestHeaders: z
      .record(z.string(), z.string())
      .nullable()
      .describe(
        'What was sent, by name, with `…` for signatures; null when no connection came about, so nothing was.',
      ),
    responseExcerpt: z
      .string()
      .nullable()
      .describe(
        'The first 16 KiB of what the receiver answered; null when it said nothing, when it is no longer kept, and to a key without the scope that reads the event, which it may repeat.',
      ),
  },
);

export const deliveryFacts = component('WebhookDeliveryFacts', 'An event on its way to an endpoint.', {
  id: id().describe('Also in the header `X-Service-Delivery-Id`.'),
  eventId: z.string().describe('The event that is sent.'),
  eventType: anyEventType,
  endpointId: id().describe('Where it is sent.'),
  endpointUrl: z.string().describe('Where the endpoint is now.'),
  url: z
    .string()
    .nullable()
    .describe(
      'Where its last attempt was sent; before the first, where the endpoint was when the delivery was made. Null when ' +
        'that was not kept.',
    ),
  appointmentId: id().nullable().describe('The appointment that the event is about, or null.'),
  status: deliveryStatus,
  attemptCount: z.int().min(0).describe('Attempts made so far, 0 to 6.'),
  nextAttemptAt: instantText()
    .nullable()
    .describe('When the next attempt is due; null when there is none to come.'),
  resendOf: id().nullable().describe('The delivery that this one repeats, or null.'),
  workflowId: z.string().describe('The Temporal workflow that makes the attempts.'),
  createdAt: instantText().describe('When it was put on its way.'),
});

const ATTEMPTS = 'The attempts made so far, first one first.';

export const deliverySchema = extension(deliveryFacts, 'WebhookDelivery', 'A delivery with its attempts.', {
  attempts: z.array(attemptSchema).describe(ATTEMPTS),
});

const deliveryDetailSchema = extension(
  deliveryFacts,
  'WebhookDeliveryDetail',
  'A delivery with its attempts and what the receiver answered.',
  { attempts: z.array(attemptDetailSchema).describe(ATTEMPTS) },
);

export const deliveryCursor = cursorById('deliveries');

export const deliveryExample = {
  id: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a60',
  eventId: 'evt_0195571c5a607a3e9f002f5d1c9b7a30',
  eventType: 'appointment.created' as const,
  endpointId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a42',
  endpointUrl: 'https://pms.sorriso.example/webhooks',
  url: 'https://pms.sorriso.example/webhooks',
  appointmentId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a20',
  status: 'retrying' as const,
  attemptCount: 1,
  nextAttemptAt: '2026-03-02T09:30:31.250Z',
  resendOf: null,
  workflowId: 'delivery:evt_0195571c5a607a3e9f002f5d1c9b7a30:0195571c-5a60-7a3e-9f00-2f5d1c9b7a42',
  createdAt: '2026-03-02T09:30:00.420Z',
  attempts: [
    {
      number: 1,
      url: 'https://pms.sorriso.example/webhooks',
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
    requestHeaders: shownHeaders({
      eventId: deliveryExample.eventId,
      eventType: deliveryExample.eventType,
      deliveryId: deliveryExample.id,
      attempt: attempt.number,
      signedAt: new Date(attempt.startedAt),
    }),
    responseExcerpt: 'Service Unavailable',
  })),
};

export const webhookDeliveryContracts = defineContracts('Delivery log', 'delivery', {
  listWebhookDeliveries: {
    operation: 'GET /v1/webhook-deliveries',
    summary: 'Deliveries with their attempts, newest first',
    description:
      'In pages: pass `nextCursor` as `cursor` while `hasMore`. New deliveries do not disturb the paging.',
    access: ['webhooks:read'],
    query: z.strictObject({
      endpointId: id().optional().describe('To this endpoint only.'),
      status: deliveryStatus.optional().describe('In this status only.'),
      eventType: anyEventType.optional().describe('Of events of this type only.'),
      eventId: eventIdParameter().optional().describe('Of this event only.'),
      appointmentId: id().optional().describe('Of events about this appointment only.'),
      errorClass: errorClass
        .optional()
        .describe('Whose last failed attempt failed so, whatever came after it.'),
      ...creationTime(),
      cursor: deliveryCursor.parameter.optional(),
      limit: limitParameter({ maximum: 100, default: 50 }),
    }),
    responses: pageAnswer('A page of deliveries.', 'WebhookDeliveryPage', deliverySchema, deliveryExample),
  },
  getWebhookDelivery: {
    operation: 'GET /v1/webhook-deliveries/{id}',
    summary: 'One delivery with its attempts and what the receiver answered',
    access: ['webhooks:read'],
    shows: showsAnswers,
    responses: oneAnswer(200, 'The delivery.', deliveryDetailSchema, detailExample),
  },
  resendWebhookDelivery: {
    operation: 'POST /v1/webhook-deliveries/{id}/resend',
    summary: 'Send an event to its endpoint again',
    description:
      'Makes a new delivery of the same event, with attempts of its own, once this one has ended, well or not. 409 ' +
      '`delivery_final` when what the event said is no longer kept.',
    access: ['webhooks:write'],
    responses: oneAnswer(202, 'The new delivery.', deliverySchema, {
      ...deliveryExample,
      id: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a61',
      status: 'pending' as const,
      attemptCount: 0,
      nextAttemptAt: '2026-03-02T11:02:13.120Z',
      resendOf: deliveryExample.id,
      workflowId: `${deliveryExample.workflowId}:1`,
      createdAt: '2026-03-02T11:02:13.120Z',
      attempts: [],
    }),
    errors: ['endpoint_deactivated', 'delivery_open', 'delivery_final'],
  },
  retryWebhookDeliveryNow: {
    operation: 'POST /v1/webhook-deliveries/{id}/retry-now',
    summary: 'Make the next attempt now',
    description: 'Brings the next numbered attempt of an open delivery forward to now; it adds none.',
    access: ['webhooks:write'],
    responses: oneAnswer(202, 'It was brought forward.', retriedSchema, { deliveries: 1 }),
    errors: ['delivery_final'],
  },
});
