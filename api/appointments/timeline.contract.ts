import { z } from 'zod';
import { TIMELINE_KINDS } from '../../db/webhooks/events/insert-event.ts';
import { deliveryStatus, errorClass } from '../../domain/named-enums.schema.ts';
import { component, oneAnswer } from '../contract/answers.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { id, instantText } from '../contract/fields.ts';

const KINDS = [...TIMELINE_KINDS, 'event', 'delivery'] as const;

export const timelineItemSchema = component(
  'TimelineItem',
  'One entry of an appointment’s history. Fields that do not apply to its `kind` are null.',
  {
    at: instantText().describe('When it happened.'),
    kind: z
      .enum(KINDS)
      .meta({ isOpen: true, description: 'A change, the `event` it caused, or a `delivery` of that event.' }),
    actor: z.string().nullable().meta({
      description:
        'For a change: `key:<id>`, `person:<id>` (dashboard), `patient`, `workflow:<workflow id>` or `operator`.',
    }),
    requestId: id().nullable().describe('For a change: the `X-Request-Id` of its request.'),
    changes: z.record(z.string(), z.unknown()).nullable().meta({
      description: 'For a change: statuses and times with `from` and `to`, and the names of edited fields.',
    }),
    eventId: z.string().nullable().describe('The event of this entry, or the event that the change caused.'),
    eventType: z.string().nullable().describe('Its type.'),
    deliveryId: id().nullable().describe('For a delivery: its ID.'),
    endpointId: id().nullable().describe('For a delivery: its endpoint.'),
    deliveryStatus: deliveryStatus.nullable().describe('For a delivery: its status.'),
    attemptCount: z.int().nullable().describe('For a delivery: attempts so far, 0 to 6.'),
    nextAttemptAt: instantText().nullable().describe('For an open delivery: when the next attempt is due.'),
    errorClass: errorClass.nullable().describe('Why the last attempt failed.'),
    workflowUrl: z
      .url()
      .nullable()
      .describe(
        'For an attempted delivery: its workflow in the Temporal UI. Null when there is none or its history was deleted.',
      ),
  },
);

const timelineSchema = component('AppointmentTimeline', 'The history of one appointment.', {
  items: z.array(timelineItemSchema).describe('The history, oldest first.'),
  workflowId: z.string().describe('The workflow of the no-show timer.'),
  workflowUrl: z
    .url()
    .nullable()
    .describe('The workflow in the Temporal UI. Null when there is none or its history was deleted.'),
});

const blank = {
  actor: null,
  requestId: null,
  changes: null,
  eventId: 'evt_0195571c5a607a3e9f002f5d1c9b7a30',
  eventType: null,
  deliveryId: null,
  endpointId: null,
  deliveryStatus: null,
  attemptCount: null,
  nextAttemptAt: null,
  errorClass: null,
  workflowUrl: null,
};

export const timelineContracts = defineContracts('Appointments', 'appointment', {
  getAppointmentTimeline: {
    operation: 'GET /v1/appointments/{id}/timeline',
    summary: 'Get the history of an appointment',
    description: 'Every change with who made it, the events it caused and the status of their deliveries.',
    access: ['appointments:read'],
    responses: oneAnswer(200, 'The history, oldest first.', timelineSchema, {
      items: [
        {
          ...blank,
          at: '2026-02-20T16:45:12.345Z',
          kind: 'created',
          actor: 'key:0195571c-5a60-7a3e-9f00-2f5d1c9b7a01',
          requestId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a02',
          changes: { status: 'confirmed', startsAt: '2026-03-02T09:30:00.000Z' },
        },
        { ...blank, at: '2026-02-20T16:45:12.345Z', kind: 'event', eventType: 'appointment.created' },
        {
          ...blank,
          at: '2026-02-20T16:45:12.402Z',
          kind: 'delivery',
          eventType: 'appointment.created',
          deliveryId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a60',
          endpointId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a42',
          deliveryStatus: 'succeeded',
          attemptCount: 1,
          workflowUrl:
            'https://temporal.example/namespaces/default/workflows/delivery%3Aevt_0195571c5a607a3e9f002f5d1c9b7a30%3A0195571c-5a60-7a3e-9f00-2f5d1c9b7a42',
        },
      ],
      workflowId: 'appointment:0195571c-5a60-7a3e-9f00-2f5d1c9b7a20',
      workflowUrl:
        'https://temporal.example/namespaces/default/workflows/appointment%3A0195571c-5a60-7a3e-9f00-2f5d1c9b7a20',
    }),
  },
});
