import { z } from 'zod';
import { deliveryStatus, errorClass } from '../../domain/named-enums.schema.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { id, instantText } from '../contract/fields.ts';

const KINDS = [
  'created',
  'updated',
  'attended',
  'cancelled',
  'no_show',
  'rescheduled',
  'event',
  'delivery',
] as const;

const timelineItemSchema = z
  .object({
    at: instantText(),
    kind: z
      .enum(KINDS)
      .meta({ isOpen: true, description: 'A change, `event` that told of it, or `delivery` of that event.' }),
    actor: z.string().nullable().meta({
      description: 'Of a change: `key:<id>`, `workflow:<workflow id>` or `operator`.',
    }),
    requestId: id().nullable(),
    changes: z.record(z.string(), z.unknown()).nullable().meta({
      description: 'Of a change: statuses and times with `from` and `to`, and the names of edited fields.',
    }),
    eventId: z.string().nullable(),
    eventType: z.string().nullable(),
    deliveryId: id().nullable(),
    endpointId: id().nullable(),
    deliveryStatus: deliveryStatus.nullable(),
    attemptCount: z.int().nullable(),
    nextAttemptAt: instantText().nullable(),
    errorClass: errorClass.nullable().meta({ description: 'Why the last attempt failed.' }),
  })
  .meta({ id: 'TimelineItem' });

const blank = {
  actor: null,
  requestId: null,
  changes: null,
  eventId: 'evt_0195571c5a607a3e9f002f5d1c9b7a31',
  eventType: null,
  deliveryId: null,
  endpointId: null,
  deliveryStatus: null,
  attemptCount: null,
  nextAttemptAt: null,
  errorClass: null,
};

export const timelineContracts = defineContracts({
  getAppointmentTimeline: {
    method: 'GET',
    path: '/v1/appointments/{id}/timeline',
    tag: 'Appointments',
    summary: 'The whole history of one appointment',
    description: 'Every change with who made it, the events that told of it, and how their deliveries stand.',
    access: ['appointments:read'],
    rateClass: 'key',
    request: { path: z.object({ id: id() }) },
    responses: {
      200: {
        description: 'The history, oldest first.',
        schema: z.object({
          items: z.array(timelineItemSchema),
          workflowId: z.string().meta({ description: 'The no-show timer in Temporal.' }),
          workflowUrl: z.url().nullable().meta({
            description:
              'Its page in the Temporal UI; null when there is none or its history is no longer kept.',
          }),
        }),
        example: {
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
              deliveryId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a41',
              endpointId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a42',
              deliveryStatus: 'succeeded',
              attemptCount: 1,
            },
          ],
          workflowId: 'appointment:0195571c-5a60-7a3e-9f00-2f5d1c9b7a20',
          workflowUrl:
            'https://temporal.example/namespaces/default/workflows/appointment%3A0195571c-5a60-7a3e-9f00-2f5d1c9b7a20',
        },
      },
    },
    errors: ['not_found'],
  },
});
