import { z } from 'zod';
import { callOutcome } from '../../named-enums.schema.ts';
import { defineEvent } from './define-event.schema.ts';
import { eventInstant } from './event-fields.schema.ts';

const callId = () => z.guid().describe('The call; read it with `GET /v1/calls/{id}`.');

const startedCall = z
  .object({
    id: callId(),
    fromNumber: z.string().describe('The caller’s number, E.164.'),
    startedAt: eventInstant().describe('When it began.'),
  })
  .meta({ id: 'EventStartedCall', description: 'A call as far as it is known when it begins.' });

const completedCall = startedCall
  .and(
    z.object({
      endedAt: eventInstant().describe('When it ended.'),
      durationSeconds: z.int().min(0).describe('Whole seconds from start to end, rounded.'),
      outcome: callOutcome,
    }),
  )
  .meta({ id: 'EventCompletedCall', description: 'A call that has ended.' });

const recordedCall = z
  .object({
    id: callId(),
    recordingExpiresAt: eventInstant().describe(
      '24 hours after the upload. Fetch a link with `GET /v1/calls/{id}/recording`; a later request gives a new one.',
    ),
  })
  .meta({ id: 'EventRecordedCall', description: 'A call whose recording can be fetched.' });

const started = {
  id: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a50',
  fromNumber: '+351912345678',
  startedAt: '2026-03-02T08:58:11.000Z',
};

export const callEvents = [
  defineEvent({
    type: 'call.started',
    summary: 'The AI receptionist took a call',
    description: 'Sent when the call is accepted, before the first word.',
    data: z.object({ call: startedCall }),
    example: { call: started },
    exampleAt: '2026-03-02T08:58:11.420Z',
  }),
  defineEvent({
    type: 'call.completed',
    summary: 'A call ended',
    description: 'Tells how long it lasted and what came of it.',
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
    summary: 'The recording of a call can be fetched',
    description: 'Usually about 10 seconds after the call ended; again when the recording is replaced.',
    data: z.object({ call: recordedCall }),
    example: { call: { id: started.id, recordingExpiresAt: '2026-03-03T09:00:35.770Z' } },
    exampleAt: '2026-03-02T09:00:35.790Z',
  }),
] as const;
