import { z } from 'zod';
import { appointmentSource, appointmentStatus } from '../named-enums.schema.ts';
import { ERASED_NAME } from '../patients/erased-name.ts';
import { eventInstant, ofPatient, phoneHash } from '../webhooks/events/event-fields.schema.ts';

/** What the API and events both show of an appointment: docs/appointments.md#fields */
export const appointmentFields = {
  id: z.guid().describe('Made by the service.'),
  professionalId: z.guid().describe('Who sees the patient.'),
  serviceTypeId: z.guid().nullable().describe('What for: the id of a service; null when none was recorded.'),
  patientName: ofPatient(z.string().describe('As it was booked, 1 to 200 characters.'), {
    value: ERASED_NAME,
  }),
  patientPhoneHash: phoneHash(),
  patientExternalId: ofPatient(
    z.string().nullable().describe('What your system calls the patient, or null.'),
    { value: null },
  ),
  startsAt: eventInstant().describe('When it begins.'),
  endsAt: eventInstant().describe(
    '`startsAt` plus the duration that the service had at the time of booking, unless its end was given.',
  ),
  status: appointmentStatus,
  source: appointmentSource,
  externalId: ofPatient(z.string().nullable().describe('What your system calls the appointment, or null.'), {
    value: null,
  }),
  createdAt: eventInstant().describe('When it was booked.'),
  updatedAt: eventInstant().describe(
    'When it changed last: rises with every change and never repeats for it.',
  ),
  version: z
    .int()
    .min(1)
    .describe(
      '1 at first, one more with every change. Of two copies the one with the higher version is the newer.',
    ),
  callId: z
    .guid()
    .nullable()
    .describe('The call in which it was booked, or came about by a move; null when that was not in a call.'),
  rescheduledToId: z.guid().nullable().describe('The appointment that replaced this one, or null.'),
  rescheduledFromId: z.guid().nullable().describe('The appointment that this one replaced, or null.'),
};

/** What requests set of an appointment besides its time, service and status, by column. */
export const EDITABLE_FIELDS = [
  'patientNotes',
  'metadata',
  'externalId',
  'patientName',
  'patientPhoneHash',
  'patientExternalId',
] as const;
export type EditableField = (typeof EDITABLE_FIELDS)[number];

/** As requests and events name the fields: a phone comes in as a number and is stored as its hash. */
export type SaidField = Exclude<EditableField, 'patientPhoneHash'> | 'patientPhone';

/** As the API and `changes` of an event name a field. */
export function saidName<Field extends string>(field: Field) {
  return field === 'patientPhoneHash' ? 'patientPhone' : (field as Exclude<Field, 'patientPhoneHash'>);
}

/** An appointment in the examples, as far as events and answers show the same of it. */
export const appointmentOfExamples = {
  id: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a20',
  professionalId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a11',
  serviceTypeId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a12',
  patientName: 'Ana Martins',
  patientPhoneHash: '8a1f6c2f0e7d4b5a9c3e1d2f4b6a8c0e2d4f6a8b0c1e3d5f7a9b1c3d5e7f9a0b',
  startsAt: '2026-03-02T09:30:00.000Z',
  endsAt: '2026-03-02T10:00:00.000Z',
  status: 'confirmed',
  source: 'manual',
  patientExternalId: 'patient-381',
  externalId: 'pms-4711',
  callId: null,
} as const;
