import { z } from 'zod';
import { anyEventType } from '../../domain/named-enums.schema.ts';
import { eventTenant } from '../../domain/webhooks/events/define-event.schema.ts';
import { cursorByTime } from '../../domain/cursor.schema.ts';
import { component, extension, oneAnswer, pageAnswer } from '../contract/answers.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { showsEvent } from '../contract/shown-patients.ts';
import { creationTime, eventIdParameter, id, instantText, limitParameter } from '../contract/fields.ts';
import { deliveryExample, deliverySchema } from '../webhook-deliveries/contract.ts';

const eventSchema = component('WebhookEvent', 'Something that happened in the clinic.', {
  id: z.string().describe('`evt_` and 32 hex digits; the same in every attempt, resend and replay.'),
  type: anyEventType,
  createdAt: instantText().describe('When the cause happened.'),
  appointmentId: id().nullable().describe('The appointment that it is about, or null.'),
});

const eventDetailSchema = extension(
  eventSchema,
  'WebhookEventDetail',
  'An event as it is sent, and its deliveries.',
  {
    tenant: eventTenant
      .nullable()
      .describe('The clinic, as it is sent; null when the body is no longer kept.'),
    data: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe(
        'As it is sent; see the webhook events. Null when it is no longer kept: 90 days after the last delivery ended, ' +
          'unless the operator decides otherwise. Such an event cannot be sent again.',
      ),
    deliveries: z.array(deliverySchema).describe('To every endpoint, oldest first; the newest 1,000.'),
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
    summary: 'What happened in the clinic, newest first',
    description:
      'In pages: pass `nextCursor` as `cursor` while `hasMore`. New events do not disturb the paging.',
    access: ['webhooks:read'],
    query: z.strictObject({
      type: anyEventType.optional().describe('Of this type only.'),
      appointmentId: id().optional().describe('About this appointment only.'),
      ...creationTime(),
      cursor: eventCursor.parameter.optional(),
      limit: limitParameter({ maximum: 200, default: 50 }),
    }),
    responses: pageAnswer(
      'A page of events, also of those that no endpoint subscribed to.',
      'WebhookEventPage',
      eventSchema,
      example,
    ),
  },
  getWebhookEvent: {
    operation: 'GET /v1/webhook-events/{id}',
    summary: 'One event as it is sent, and its deliveries',
    description:
      'Also needs the scope that reads what the event is about: `appointments:read` for `appointment.*`, `patient.*`, `nps.*` and ' +
      '`triage.*`, `calls:read` for `call.*`, `tenant:read` for `tenant.*`.',
    access: ['webhooks:read'],
    shows: showsEvent,
    path: z.strictObject({ id: eventIdParameter().describe('Which event.') }),
    responses: oneAnswer(200, 'The event.', eventDetailSchema, {
      ...example,
      tenant: { id: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a10', name: 'Clínica Sorriso' },
      data: { appointment: { id: example.appointmentId, status: 'confirmed' } },
      deliveries: [deliveryExample],
    }),
  },
});
