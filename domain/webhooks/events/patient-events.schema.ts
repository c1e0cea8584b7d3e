import { z } from 'zod';
import { defineEvent } from './define-event.schema.ts';
import { eventInstant, phoneHash } from './event-fields.schema.ts';

const APPOINTMENT_ID = '0195571c-5a60-7a3e-9f00-2f5d1c9b7a20';

export const patientEvents = [
  defineEvent({
    type: 'patient.recall_due',
    summary: 'A patient has not been there for six months',
    description:
      'Once for each last visit, from 09:00 in the clinic’s zone, and only without an upcoming appointment.',
    data: z
      .object({
        patientPhoneHash: phoneHash(),
        patientExternalId: z
          .string()
          .nullable()
          .describe('What your system calls the patient, where an appointment says so; else null.'),
        lastVisitAt: eventInstant().describe('When the last visit began that the patient came to.'),
        daysSinceLastVisit: z.int().min(0).describe('Whole days since then, by the calendar of the clinic.'),
      })
      .meta({ id: 'EventRecall', description: 'A patient who should come again.' }),
    example: {
      patientPhoneHash: '8a1f6c2f0e7d4b5a9c3e1d2f4b6a8c0e2d4f6a8b0c1e3d5f7a9b1c3d5e7f9a0b',
      patientExternalId: 'patient-381',
      lastVisitAt: '2026-03-02T09:30:00.000Z',
      daysSinceLastVisit: 184,
    },
    exampleAt: '2026-09-02T08:00:04.551Z',
  }),
  defineEvent({
    type: 'nps.submitted',
    summary: 'A patient rated a visit',
    description: 'The answer to the text message after a visit; one for each appointment.',
    data: z
      .object({
        score: z
          .int()
          .min(0)
          .max(10)
          .describe('From 0, not at all, to 10: would the patient recommend the clinic?'),
        comment: z.string().meta({ description: 'Empty when the patient wrote none.' }),
        appointmentId: z.guid().describe('The visit that was rated.'),
      })
      .meta({ id: 'EventNpsResponse', description: 'What a patient thought of a visit.' }),
    example: { score: 9, comment: 'Very kind, no waiting.', appointmentId: APPOINTMENT_ID },
    exampleAt: '2026-03-02T14:07:45.015Z',
  }),
  defineEvent({
    type: 'triage.submitted',
    summary: 'A patient filled in the form before a visit',
    description: 'One for each appointment.',
    data: z
      .object({
        appointmentId: z.guid().describe('The visit that it is about.'),
        answers: z.record(z.string(), z.unknown()).meta({
          description: 'The form’s own keys, such as `main_complaint`, `since` and `severity`.',
        }),
      })
      .meta({ id: 'EventTriageForm', description: 'What a patient answered before a visit.' }),
    example: {
      appointmentId: APPOINTMENT_ID,
      answers: { main_complaint: 'Toothache', since: '3 days', severity: 'moderate' },
    },
    exampleAt: '2026-03-01T20:31:09.604Z',
  }),
] as const;
