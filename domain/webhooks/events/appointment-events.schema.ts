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

/** The names of the fields that `changes` may hold. */
const CHANGED_NAMES = [...EDITABLE_FIELDS.map(saidName), 'serviceTypeId', 'endsAt'] as const;

export function isToldInEvents(changed: string): boolean {
  return CHANGED_NAMES.some((name) => name === changed);
}

/** An appointment as events show it: docs/events.md#appointments */
export const eventAppointment = z.object(appointmentFields).meta({
  id: 'EventAppointment',
  description:
    'The appointment right after the change. Apply an event only if its version is higher than yours. Notes and metadata are left ' +
    'out; read them over the API.',
});

const updatedAppointment = eventAppointment
  .and(
    z.object({
      patientNotes: ofPatient(
        z.string().nullable().optional().describe('When they changed: the new ones, or null.'),
        { value: null },
      ),
      metadata: ofPatient(
        z
          .record(z.string(), z.unknown())
          .nullable()
          .optional()
          .describe('When it changed: the new one, or null.'),
        { value: null },
      ),
    }),
  )
  .meta({
    id: 'EventUpdatedAppointment',
    description:
      'The appointment right after the change, with the new values of the fields named in `changes`.',
  });

/** Who caused the event, beside what it tells: docs/events.md#who-caused-it */
const cause = {
  actor: z
    .object({
      type: actorType,
      id: z.guid().nullable().describe('Which API key or person; null where there is none to name.'),
    })
    .meta({ id: 'EventActor', description: 'Who caused the event.' }),
  requestId: z
    .guid()
    .nullable()
    .describe(
      'The request that caused it, as its answer named it in `X-Request-Id`; null where no request did.',
    ),
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

/** The example after its second change. */
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
    description: 'By the AI receptionist, by hand, by self-service or by sync; `source` tells which.',
    data: z.object({ appointment: eventAppointment, ...cause }),
    example: { appointment: example, ...byKey },
    exampleAt: example.createdAt,
  }),
  defineEvent({
    type: 'appointment.updated',
    summary: 'Notes, the patient, the service or other fields were edited',
    description: 'Never for a change of status or start: those have events of their own.',
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
    description: 'By the patient, the clinic or automatically; its slot is free again.',
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
    description: 'May follow an `appointment.no_show` when the patient came late.',
    data: z.object({ appointment: eventAppointment, ...cause }),
    example: { appointment: changed('2026-03-02T09:24:03.120Z', { status: 'attended' }), ...byKey },
    exampleAt: '2026-03-02T09:24:03.120Z',
  }),
  defineEvent({
    type: 'appointment.no_show',
    summary: 'The patient did not come',
    description: 'Sent 30 minutes after `startsAt` without a check-in, or when the clinic records it itself.',
    data: z.object({ appointment: eventAppointment, ...cause }),
    example: { appointment: changed('2026-03-02T10:00:00.031Z', { status: 'no_show' }), ...bySystem },
    exampleAt: '2026-03-02T10:00:00.031Z',
  }),
  defineEvent({
    type: 'appointment.rescheduled',
    summary: 'An appointment was replaced by another one',
    description:
      'The only event of a move, or of one that was reinstated at the same time: there is no `appointment.created` for the replacement, which has a new id.',
    data: z.object({
      original: eventAppointment.describe('Now `rescheduled`.'),
      replacement: eventAppointment.describe('`confirmed`; at the new time, unless it was reinstated.'),
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
] as const;
