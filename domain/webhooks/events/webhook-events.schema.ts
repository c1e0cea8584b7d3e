import { z } from 'zod';
import { type AnyEventType, TEST_EVENT_TYPE } from '../event-types.ts';
import { appointmentEvents } from './appointment-events.schema.ts';
import { endpointEvents } from './endpoint-events.schema.ts';
import { type EventDefinition, defineEvent } from './define-event.schema.ts';
import { callOutcome, eventType } from '../../named-enums.schema.ts';
import { eventInstant, ofPatient, phoneHash } from './event-fields.schema.ts';

const callId = () => z.guid().describe('The call; read it with `GET /v1/calls/{id}`.');

const startedCall = z
  .object({
    id: callId(),
    fromNumber: ofPatient(
      z.string().describe('The caller’s number, E.164; `anonymous` if it is withheld.'),
      'number',
    ),
    startedAt: eventInstant().describe('When it started.'),
  })
  .meta({ id: 'EventStartedCall', description: 'A call that has started.' });

const completedCall = startedCall
  .and(
    z.object({
      endedAt: eventInstant().describe('When it ended.'),
      durationSeconds: z.int().min(0).describe('Duration in seconds, rounded.'),
      outcome: callOutcome,
    }),
  )
  .meta({ id: 'EventCompletedCall', description: 'A call that has ended.' });

const recordedCall = z
  .object({
    id: callId(),
    recordingExpiresAt: eventInstant().describe(
      '24 hours after the upload. Get a link with `GET /v1/calls/{id}/recording`; a later request returns a new one.',
    ),
  })
  .meta({ id: 'EventRecordedCall', description: 'A call whose recording is ready.' });

const started = {
  id: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a50',
  fromNumber: '+351912345678',
  startedAt: '2026-03-02T08:58:11.000Z',
};

const callEvents = [
  defineEvent({
    type: 'call.started',
    summary: 'The AI receptionist answered a call',
    description: 'Sent when the call is answered, before the first word.',
    data: z.object({ call: startedCall }),
    example: { call: started },
    exampleAt: '2026-03-02T08:58:11.420Z',
  }),
  defineEvent({
    type: 'call.completed',
    summary: 'A call ended',
    description: 'Contains the duration and outcome of the call.',
    data: z.object({ call: completedCall }),
    example: {
      call: {
        ...started,
        endedAt: '2026-03-02T09:00:25.000Z',
        durationSeconds: 134,
        outcome: 'booking_created',
      },
    },
    exampleAt: '2026-03-02T09:00:25.310Z',
  }),
  defineEvent({
    type: 'call.recording_ready',
    summary: 'The recording of a call is ready',
    description:
      'Usually sent about 10 seconds after the call ended, and again when the recording is replaced.',
    data: z.object({ call: recordedCall }),
    example: { call: { id: started.id, recordingExpiresAt: '2026-03-03T09:00:35.770Z' } },
    exampleAt: '2026-03-02T09:00:35.790Z',
  }),
] as const;

const clinicEvents = [
  defineEvent({
    type: 'tenant.config_updated',
    summary: 'The clinic’s settings, professionals or services changed',
    description:
      'Sent when voice, opening hours, fallback number or another key of `config` changed. With `professionals`, `services` or `busyBlocks` in ' +
      '`changedKeys`, one of these changed. The event does not say which one, so read the whole list again.',
    data: z
      .object({
        config: z
          .record(z.string(), z.unknown())
          .meta({ description: 'All settings after the change, as in `GET /v1/tenants/me`.' }),
        changedKeys: z.array(z.string()).min(1).meta({
          description:
            'Keys of `config` that were set, replaced or removed; or `professionals`, `services` or `busyBlocks`.',
        }),
      })
      .meta({
        id: 'EventConfigChange',
        description: 'The settings after the change, and which ones changed.',
      }),
    example: {
      config: { timezone: 'Europe/Lisbon', voice: 'ines', voiceSpeed: 1.1, fallbackHumanNumber: null },
      changedKeys: ['voiceSpeed'],
    },
    exampleAt: '2026-03-02T12:00:31.246Z',
  }),
] as const;

const testEvents = [
  defineEvent({
    type: TEST_EVENT_TYPE,
    summary: 'A test event',
    description:
      'Sent to one endpoint by `POST /v1/webhook-endpoints/{id}/test-events`, signed like any other, with one attempt and no retries. ' +
      'It needs no subscription.',
    data: z
      .object({
        message: z.string().describe('A message for people.'),
        exampleOf: eventType.optional().meta({ description: 'The event type of the example.' }),
        example: z.record(z.string(), z.unknown()).optional().meta({
          description: 'With `exampleOf`: example `data` of that type. Nothing in it is real.',
        }),
      })
      .meta({ id: 'EventTest', description: 'The content of a test event. Nothing in it is real.' }),
    example: { message: 'Your endpoint is receiving webhooks.' },
    exampleAt: '2026-03-02T12:04:09.511Z',
  }),
] as const;

const APPOINTMENT_ID = '0195571c-5a60-7a3e-9f00-2f5d1c9b7a20';

const patientEvents = [
  defineEvent({
    type: 'patient.recall_due',
    summary: 'A patient has had no appointment for six months',
    description:
      'Sent once for each last appointment, from 09:00 in the clinic’s time zone, and only if the patient has no upcoming appointment.',
    data: z
      .object({
        patientPhoneHash: phoneHash(),
        patientExternalId: ofPatient(
          z.string().nullable().describe('The ID of the patient in your system, or null.'),
          { value: null },
        ),
        lastVisitAt: eventInstant().describe('The start of the last appointment that the patient attended.'),
        daysSinceLastVisit: z.int().min(0).describe('Days since then, by the clinic’s calendar.'),
      })
      .meta({ id: 'EventRecall', description: 'A patient who is due for recall.' }),
    example: {
      patientPhoneHash: '8a1f6c2f0e7d4b5a9c3e1d2f4b6a8c0e2d4f6a8b0c1e3d5f7a9b1c3d5e7f9a0b',
      patientExternalId: 'patient-381',
      lastVisitAt: '2026-03-02T09:30:00.000Z',
      daysSinceLastVisit: 184,
    },
    exampleAt: '2026-09-02T08:00:04.551Z',
  }),
  defineEvent({
    type: 'patient.erased',
    summary: 'A patient’s data was erased',
    description:
      'Erase your copies. The patient is named as in the request: by a hash of the phone or by your ID; the other is null.',
    data: z
      .object({
        patientPhoneHash: phoneHash().nullable(),
        patientExternalId: ofPatient(
          z.string().nullable().describe('The ID of the patient in your system, or null.'),
          { value: null },
        ),
      })
      .meta({ id: 'EventErasedPatient', description: 'A patient whose data was erased.' }),
    example: { patientPhoneHash: null, patientExternalId: 'patient-381' },
    exampleAt: '2026-03-02T15:20:44.118Z',
  }),
  defineEvent({
    type: 'nps.submitted',
    summary: 'A patient gave feedback',
    description: 'The answer to the text message after an appointment. One for each appointment.',
    data: z
      .object({
        score: z
          .int()
          .min(0)
          .max(10)
          .describe('From 0, not at all, to 10: would the patient recommend the clinic?'),
        comment: ofPatient(z.string().meta({ description: 'Empty when the patient wrote nothing.' }), {
          value: '',
        }),
        appointmentId: z.guid().describe('The appointment that the patient rated.'),
      })
      .meta({ id: 'EventNpsResponse', description: 'Patient feedback after an appointment.' }),
    example: { score: 9, comment: 'Very kind, no waiting.', appointmentId: APPOINTMENT_ID },
    exampleAt: '2026-03-02T14:07:45.015Z',
  }),
  defineEvent({
    type: 'triage.submitted',
    summary: 'A patient filled in the intake form',
    description: 'One for each appointment.',
    data: z
      .object({
        appointmentId: z.guid().describe('The appointment of the form.'),
        answers: ofPatient(
          z.record(z.string(), z.unknown()).meta({
            description: 'The form’s own keys, for example `main_complaint`, `since` and `severity`.',
          }),
          { value: {} },
        ),
      })
      .meta({ id: 'EventTriageForm', description: 'An intake form.' }),
    example: {
      appointmentId: APPOINTMENT_ID,
      answers: { main_complaint: 'Toothache', since: '3 days', severity: 'moderate' },
    },
    exampleAt: '2026-03-01T20:31:09.604Z',
  }),
] as const;

/** Every event that a receiver can get; the test event comes last. */
export const WEBHOOK_EVENTS: readonly EventDefinition[] = [
  ...appointmentEvents,
  ...callEvents,
  ...patientEvents,
  ...clinicEvents,
  ...endpointEvents,
  ...testEvents,
];

/** @throws for a type without a definition; a test checks that there is none. */
export function eventDefinition(type: AnyEventType): EventDefinition {
  const definition = WEBHOOK_EVENTS.find((event) => event.type === type);
  if (!definition) throw new Error(`the event type ${type} is not defined`);
  return definition;
}
