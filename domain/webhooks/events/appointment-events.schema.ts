import { z } from 'zod';
import {
  appointmentFields,
  appointmentOfExamples,
  EDITABLE_FIELDS,
  saidName,
} from '../../appointments/appointment-fields.schema.ts';
import { actorType, cancellationReason } from '../../named-enums.schema.ts';
import { defineEvent } from './define-event.schema.ts';
import { ofPatient } from './event-fields.schema.ts';

/** The fields that `changes` may contain. */
const CHANGED_NAMES = [
  ...EDITABLE_FIELDS.map(saidName),
  'serviceTypeId',
  'endsAt',
  'patientConfirmedAt',
] as const;

export function isShownInEvents(changed: string): boolean {
  return CHANGED_NAMES.some((name) => name === changed);
}

/** An appointment as events show it: docs/events.md#appointments */
export const eventAppointment = z.object(appointmentFields).meta({
  id: 'EventAppointment',
  description:
    'The appointment after the change. Apply an event only if its version is higher than yours. Notes and metadata are left ' +
    'out; read them from the API.',
});

const updatedAppointment = eventAppointment
  .and(
    z.object({
      patientNotes: ofPatient(
        z.string().nullable().optional().describe('Only when they changed: the new metadata, or null.'),
        { value: null },
      ),
      metadata: ofPatient(
        z
          .record(z.string(), z.unknown())
          .nullable()
          .optional()
          .describe('Only when it changed: the new value, or null.'),
        { value: null },
      ),
    }),
  )
  .meta({
    id: 'EventUpdatedAppointment',
    description: 'The appointment after the change, with the new values of the fields in `changes`.',
  });

/** Who caused the event: docs/events.md#who-caused-it */
const cause = {
  actor: z
    .object({
      type: actorType,
      id: z.guid().nullable().describe('The ID of the API key or person, or null.'),
    })
    .meta({ id: 'EventActor', description: 'Who caused the event.' }),
  requestId: z.guid().nullable().describe('The `X-Request-Id` of the request that caused it, or null.'),
};

const byKey = {
  actor: { type: 'api_key', id: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a02' },
  requestId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a40',
} as const;
const bySystem = { actor: { type: 'system', id: null }, requestId: null } as const;

const example: z.infer<typeof eventAppointment> = {
  ...appointmentOfExamples,
  createdAt: '2026-02-20T16:45:12.345Z',
  updatedAt: '2026-02-20T16:45:12.345Z',
  version: 1,
  rescheduledToId: null,
  rescheduledFromId: null,
};

/** The example appointment after its second change. */
function changed(updatedAt: string, changes: Partial<typeof example> = {}) {
  return { ...example, updatedAt, version: 2, ...changes };
}

export const REPLACEMENT_ID = '0195571c-5a60-7a3e-9f00-2f5d1c9b7a21';
const MOVED_AT = '2026-02-27T11:02:40.870Z';
const moved = {
  updatedAt: MOVED_AT,
  startsAt: '2026-03-03T11:00:00.000Z',
  endsAt: '2026-03-03T11:30:00.000Z',
};

export const appointmentEvents = [
  defineEvent({
    type: 'appointment.created',
    summary: 'An appointment was booked',
    description: 'Booked by the AI receptionist, staff, the patient online, or another system: see `source`.',
    data: z.object({ appointment: eventAppointment, ...cause }),
    example: { appointment: example, ...byKey },
    exampleAt: example.createdAt,
  }),
  defineEvent({
    type: 'appointment.updated',
    summary: 'The notes, the patient, the service or other fields were edited, or the patient confirmed',
    description: 'Not sent for changes of status or start. These have their own events.',
    data: z.object({
      appointment: updatedAppointment,
      changes: z.array(z.enum(CHANGED_NAMES)).min(1).meta({
        description:
          'The fields that changed; `appointment` holds their new values, and for `patientPhone` the new `patientPhoneHash`.',
      }),
      ...cause,
    }),
    example: {
      appointment: { ...changed('2026-02-25T10:12:00.120Z'), patientNotes: 'Prefers mornings' },
      changes: ['patientNotes'],
      ...byKey,
    },
    exampleAt: '2026-02-25T10:12:00.120Z',
  }),
  defineEvent({
    type: 'appointment.cancelled',
    summary: 'An appointment was cancelled',
    description: 'Cancelled by the patient, by the clinic or automatically. The slot is free again.',
    data: z.object({ appointment: eventAppointment, reason: cancellationReason, ...cause }),
    example: {
      appointment: changed('2026-03-01T18:20:05.004Z', { status: 'cancelled' }),
      reason: 'patient_requested',
      ...byKey,
    },
    exampleAt: '2026-03-01T18:20:05.004Z',
  }),
  defineEvent({
    type: 'appointment.attended',
    summary: 'The patient checked in',
    description: 'Can follow an `appointment.no_show` when the patient arrives late.',
    data: z.object({ appointment: eventAppointment, ...cause }),
    example: { appointment: changed('2026-03-02T09:24:03.120Z', { status: 'attended' }), ...byKey },
    exampleAt: '2026-03-02T09:24:03.120Z',
  }),
  defineEvent({
    type: 'appointment.no_show',
    summary: 'The patient did not come',
    description:
      'Sent when the patient has not checked in 30 minutes after `startsAt`, or when staff marks the no-show.',
    data: z.object({ appointment: eventAppointment, ...cause }),
    example: { appointment: changed('2026-03-02T10:00:00.031Z', { status: 'no_show' }), ...bySystem },
    exampleAt: '2026-03-02T10:00:00.031Z',
  }),
  defineEvent({
    type: 'appointment.rescheduled',
    summary: 'An appointment was rescheduled',
    description:
      'The only event of a reschedule or a reinstatement: there is no `appointment.created` for the replacement, which has a new ID.',
    data: z.object({
      original: eventAppointment.describe('Now `rescheduled`.'),
      replacement: eventAppointment.describe(
        '`confirmed`, at the new time, or at the same time after a reinstatement.',
      ),
      ...cause,
    }),
    example: {
      original: changed(MOVED_AT, { status: 'rescheduled', rescheduledToId: REPLACEMENT_ID }),
      replacement: {
        ...example,
        ...moved,
        id: REPLACEMENT_ID,
        createdAt: MOVED_AT,
        rescheduledFromId: example.id,
      },
      ...byKey,
    },
    exampleAt: MOVED_AT,
  }),
  defineEvent({
    type: 'appointment.unacknowledged',
    summary: 'Your system has not stored an appointment',
    description:
      'Sent once for a version that your system refused, or did not acknowledge within `acknowledgeWithinMinutes`.',
    data: z.object({
      appointment: eventAppointment.describe('The appointment, with the version in question.'),
      state: z
        .enum(['refused', 'missing'])
        .describe('`refused`: your system refused it. `missing`: it did not acknowledge it in time.'),
      reason: ofPatient(z.string().nullable().describe('Why it was refused, or null.'), { value: null }),
      ...cause,
    }),
    example: { appointment: example, state: 'refused', reason: 'Patient 381 is blocked', ...byKey },
    exampleAt: '2026-02-20T16:45:13.020Z',
  }),
  defineEvent({
    type: 'appointment.reminder_due',
    summary: 'It is time to remind the patient',
    description:
      'Sent once at each time of `config.reminders`, between 09:00 and 20:00 in the clinic’s time zone. Only endpoints whose `events` name this ' +
      'type get it, because `patientUrl` acts for the patient.',
    data: z.object({
      appointment: eventAppointment.describe('The appointment, which is confirmed and has not begun.'),
      hoursBefore: z
        .int()
        .min(1)
        .max(336)
        .describe('Which reminder it is. The time left can be shorter: see `startsAt`.'),
      patientUrl: ofPatient(
        z
          .string()
          .nullable()
          .describe(
            'A page where the patient confirms that they will come; null without a dashboard, and when another name and ' +
              'phone have given the appointment to another patient.',
          ),
        { value: null },
      ),
      ...cause,
    }),
    example: {
      appointment: example,
      hoursBefore: 48,
      patientUrl: 'https://dashboard.example.com/book/a/AZVXHFpgej6fAC9dHJt6ID5cV6H0dJ0kVq8wWmQkq0c',
      ...bySystem,
    },
    exampleAt: '2026-02-28T09:30:12.204Z',
  }),
] as const;
