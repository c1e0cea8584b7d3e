import { z } from 'zod';
import { appointmentSource, appointmentStatus } from '../named-enums.schema.ts';
import { eventInstant, phoneHash } from '../webhooks/events/event-fields.schema.ts';

/** What the API and events both show of an appointment: docs/appointments.md#fields */
export const appointmentFields = {
  id: z.guid().describe('Made by the service.'),
  professionalId: z.guid().describe('Who sees the patient.'),
  serviceTypeId: z.guid().nullable().describe('What for: the id of a service; null when none was recorded.'),
  patientName: z.string().describe('As it was booked, 1 to 200 characters.'),
  patientPhoneHash: phoneHash(),
  patientExternalId: z.string().nullable().describe('What your system calls the patient, or null.'),
  startsAt: eventInstant().describe('When it begins.'),
  endsAt: eventInstant().describe(
    '`startsAt` plus the duration that the service had at the time of booking, unless its end was given.',
  ),
  status: appointmentStatus,
  source: appointmentSource,
  externalId: z.string().nullable().describe('What your system calls the appointment, or null.'),
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
