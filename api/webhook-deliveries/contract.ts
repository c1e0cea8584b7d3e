import { z } from 'zod';
import {
  anyEventType,
  attemptOutcome,
  deliveryStatus,
  errorClass,
  tlsFault,
} from '../../domain/named-enums.schema.ts';
import { shownHeaders } from '../../domain/webhooks/webhook-headers.ts';
import { cursorById } from '../../domain/lists/cursor.schema.ts';
import { component, extension, oneAnswer, pageAnswer } from '../contract/answers.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { showsAnswers } from '../contract/shown-patients.ts';
import { creationTime, eventIdParameter, id, instantText, limitParameter } from '../contract/fields.ts';
import { retriedSchema } from '../webhook-endpoints/actions.contract.ts';

export const attemptSchema = component('WebhookAttempt', 'One attempt to send an event.', {
  number: z.int().min(1).describe('1 to 6.'),
  url: z.string().nullable().describe('The URL to which the request was sent. Null when it is not stored.'),
  startedAt: instantText().describe('When it started.'),
  durationMs: z.int().min(0).describe('Duration in milliseconds, at most about 10,000.'),
  outcome: attemptOutcome,
  errorClass: errorClass.nullable().describe('Why it failed, or null.'),
  tlsFault: tlsFault
    .nullable()
    .describe('With `tls_error`: what is wrong with the certificate or with TLS. Otherwise null.'),
  responseStatus: z.int().nullable().describe('The HTTP status of the response; null when there was none.'),
});

const attemptDetailSchema = extension(
  attemptSchema,
  'WebhookAttemptDetail',
  'An attempt with its request and response.',
  {
    requestHeaders: z
      .record(z.string(), z.string())
      .nullable()
      .describe('The request headers, with `…` for signatures. Null when there was no connection.'),
    responseExcerpt: z
      .string()
      .nullable()
      .describe(
        'The first 16 KiB of the response. Null when it was empty, when it was deleted, and for a key that lacks the scope to read the event.',
      ),
  },
);

export const deliveryFacts = component('WebhookDeliveryFacts', 'The delivery of one event to one endpoint.', {
  id: id().describe('Also in the header `X-Service-Delivery-Id`.'),
  eventId: z.string().describe('The event.'),
  eventType: anyEventType,
  endpointId: id().describe('The endpoint.'),
  endpointUrl: z.string().nullable().describe('The current URL of the endpoint. Null for a pull endpoint.'),
  url: z
    .string()
    .nullable()
    .describe(
      'The URL of the last attempt; before the first, the URL of the endpoint when the delivery was created. Null when ' +
        'it is not stored, and for a pull endpoint.',
    ),
  appointmentId: id().nullable().describe('The appointment of the event, or null.'),
  status: deliveryStatus,
  attemptCount: z.int().min(0).describe('Attempts so far, 0 to 6.'),
  nextAttemptAt: instantText().nullable().describe('When the next attempt is due, or null.'),
  resendOf: id().nullable().describe('The delivery that this one resends, or null.'),
  workflowId: z
    .string()
    .nullable()
    .describe('The Temporal workflow that makes the attempts. Null for a pull endpoint.'),
  createdAt: instantText().describe('When it was created.'),
});

const ATTEMPTS = 'The attempts, oldest first.';

export const deliverySchema = extension(deliveryFacts, 'WebhookDelivery', 'A delivery with its attempts.', {
  attempts: z.array(attemptSchema).describe(ATTEMPTS),
});

const deliveryDetailSchema = extension(
  deliveryFacts,
  'WebhookDeliveryDetail',
  'A delivery with its attempts, requests and responses.',
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
      tlsFault: null,
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
    summary: 'List deliveries',
    description:
      'With their attempts, newest first. While `hasMore` is true, pass `nextCursor` as `cursor`. New deliveries do not affect paging.',
    access: ['webhooks:read'],
    query: z.strictObject({
      endpointId: id().optional().describe('Only deliveries to this endpoint.'),
      status: deliveryStatus.optional().describe('Only deliveries with this status.'),
      eventType: anyEventType.optional().describe('Only deliveries of events of this type.'),
      eventId: eventIdParameter().optional().describe('Only deliveries of this event.'),
      appointmentId: id().optional().describe('Only deliveries of events about this appointment.'),
      errorClass: errorClass.optional().describe('Only deliveries whose last failed attempt had this error.'),
      ...creationTime(),
      cursor: deliveryCursor.parameter.optional(),
      limit: limitParameter({ maximum: 100, default: 50 }),
    }),
    responses: pageAnswer('A page of deliveries.', 'WebhookDeliveryPage', deliverySchema, deliveryExample),
  },
  getWebhookDelivery: {
    operation: 'GET /v1/webhook-deliveries/{id}',
    summary: 'Get a delivery',
    access: ['webhooks:read'],
    shows: showsAnswers,
    responses: oneAnswer(200, 'The delivery.', deliveryDetailSchema, detailExample),
  },
  resendWebhookDelivery: {
    operation: 'POST /v1/webhook-deliveries/{id}/resend',
    summary: 'Resend a delivery',
    description:
      'Creates a new delivery of the same event, with its own attempts, after this one has ended. 409 ' +
      '`delivery_final` when the event’s content has been deleted.',
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
    summary: 'Retry a delivery now',
    description:
      'Makes the next attempt of an open delivery now. The delivery still has at most six attempts. A delivery of a pull endpoint has ' +
      'no attempts: the answer is 0.',
    access: ['webhooks:write'],
    responses: oneAnswer(202, 'The next attempt is being made.', retriedSchema, { deliveries: 1 }),
    errors: ['delivery_final', 'endpoint_paused'],
  },
});
