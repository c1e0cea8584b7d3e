import { z } from 'zod';
import { anyEventType } from '../../domain/named-enums.schema.ts';
import { eventTenant } from '../../domain/webhooks/events/define-event.schema.ts';
import { cursorByTime } from '../../domain/lists/cursor.schema.ts';
import { component, extension, oneAnswer, pageAnswer } from '../contract/answers.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { showsEvent } from '../contract/shown-patients.ts';
import { creationTime, eventIdParameter, id, instantText, limitParameter } from '../contract/fields.ts';
import { deliveryExample, deliverySchema } from '../webhook-deliveries/contract.ts';

const eventSchema = component('WebhookEvent', 'Something that happened in the clinic.', {
  id: z.string().describe('`evt_` and 32 hex digits; the same in every attempt, resend and replay.'),
  type: anyEventType,
  createdAt: instantText().describe('When it happened.'),
  appointmentId: id().nullable().describe('The appointment of the event, or null.'),
});

const eventDetailSchema = extension(
  eventSchema,
  'WebhookEventDetail',
  'An event with its content and deliveries.',
  {
    tenant: eventTenant.nullable().describe('The clinic, as sent. Null when the body has been deleted.'),
    data: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe(
        'The content, as sent; see the webhook events. Null when it has been deleted, by default 90 days after the last delivery ended. ' +
          'An event without content cannot be resent.',
      ),
    deliveries: z.array(deliverySchema).describe('Its deliveries, oldest first; at most the newest 1,000.'),
  },
);

export const eventCursor = cursorByTime('events', 'createdAt', eventIdParameter());

const example = {
  id: deliveryExample.eventId,
  type: deliveryExample.eventType,
  createdAt: deliveryExample.createdAt,
  appointmentId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a20',
};

export const webhookEventContracts = defineContracts('Delivery log', null, {
  listWebhookEvents: {
    operation: 'GET /v1/webhook-events',
    summary: 'List events',
    description:
      'Newest first. While `hasMore` is true, pass `nextCursor` as `cursor`. New events do not affect paging.',
    access: ['webhooks:read'],
    query: z.strictObject({
      type: anyEventType.optional().describe('Only events of this type.'),
      appointmentId: id().optional().describe('Only events about this appointment.'),
      ...creationTime(),
      cursor: eventCursor.parameter.optional(),
      limit: limitParameter({ maximum: 200, default: 50 }),
    }),
    responses: pageAnswer(
      'A page of events, including those without a subscribed endpoint.',
      'WebhookEventPage',
      eventSchema,
      example,
    ),
  },
  getWebhookEvent: {
    operation: 'GET /v1/webhook-events/{id}',
    summary: 'Get an event',
    description:
      'Also needs the scope to read the event: `appointments:read` for `appointment.*`, `patient.*`, `nps.*` and ' +
      '`triage.*`, `calls:read` for `call.*`, `tenant:read` for `tenant.*`, `webhooks:read` for `endpoint.*`.',
    access: ['webhooks:read'],
    shows: showsEvent,
    path: z.strictObject({ id: eventIdParameter().describe('The event.') }),
    responses: oneAnswer(200, 'The event.', eventDetailSchema, {
      ...example,
      tenant: { id: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a10', name: 'Clínica Sorriso' },
      data: { appointment: { id: example.appointmentId, status: 'confirmed' } },
      deliveries: [deliveryExample],
    }),
  },
});
