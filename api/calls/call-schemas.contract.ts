import { z } from 'zod';
import { callEventType, callOutcome, callStatus } from '../../domain/named-enums.schema.ts';
import { id, instantText } from '../contract/fields.ts';
import { component, extension } from '../contract/answers.ts';

/** Programs that generators write can often name no other type than the last. */
export const AUDIO_TYPES = ['audio/*', 'application/octet-stream'] as const;

const json = z.record(z.string(), z.unknown());

const UNREADABLE = ' Null only while the key that it is encrypted with is missing.';

/** docs/calls.md#fields */
export const callSchema = component('Call', 'A call that the AI receptionist took.', {
  id: id().describe('Chosen by the telephony side.'),
  telephonyCallControlId: z.string().nullable().describe('What the carrier calls it, or null.'),
  fromNumber: z.string().nullable().describe(`The caller’s number, E.164.${UNREADABLE}`),
  toNumber: z.string().nullable().describe(`The number that was called, E.164.${UNREADABLE}`),
  status: callStatus,
  outcome: callOutcome.nullable().describe('What came of it; null while it lasts.'),
  startedAt: instantText().describe('When it began.'),
  endedAt: instantText().nullable().describe('When it ended; null while it lasts.'),
  durationSeconds: z
    .int()
    .min(0)
    .nullable()
    .describe('Whole seconds from start to end, rounded; null while it lasts.'),
  transcriptionWordCount: z.int().min(0).nullable().describe('Words that were said, or null.'),
});

/** docs/calls.md#fields */
export const callEventSchema = component('CallEvent', 'Something that was said or done in a call.', {
  id: id().describe('Made by the service.'),
  eventType: callEventType,
  sequence: z.int().min(0).describe('The place in the call, from 0; unique within it.'),
  transcript: z.string().nullable().describe('What was said, or null.'),
  toolName: z.string().nullable().describe('The tool that the receptionist used, or null.'),
  toolInput: json.nullable().describe('What the tool was given, or null.'),
  toolOutput: json.nullable().describe('What the tool gave back, or null.'),
  occurredAt: instantText().describe('When it happened.'),
});

/** docs/calls.md#reading */
export const callDetailSchema = component('CallDetail', 'A call with what was said and done in it.', {
  call: extension(callSchema, 'CallWithRecording', 'A call and the way to its recording.', {
    metadata: json.describe('What the telephony side keeps with the call.'),
    appointmentIds: z
      .array(id())
      .describe(
        'The appointments that were booked in it, or came about by a move: the first 100, oldest first.',
      ),
    recordingUrl: z
      .url()
      .nullable()
      .describe(
        'Opens the recording without a key until `recordingExpiresAt`. Null without a recording, and for keys ' +
          'without the scope `recordings:read`.',
      ),
    recordingExpiresAt: instantText()
      .nullable()
      .describe('When `recordingUrl` ends, 24 hours after this answer; null without one.'),
  }),
  events: z.array(callEventSchema).describe('By `sequence`.'),
});

export const recordingLinkSchema = component('RecordingLink', 'A link to the recording of a call.', {
  url: z.url().describe('Opens the audio without a key: keep it like the audio itself.'),
  expiresInSeconds: z.int().describe('How long it works: 86400, a day.'),
});

export const recordingSchema = component('Recording', 'What is stored of a recording.', {
  callId: id().describe('The call that was recorded.'),
  contentType: z.string().describe('The media type that the upload named; the audio is sent back with it.'),
  sizeBytes: z.int().min(1).describe('Of the audio, at most 209715200.'),
  sha256: z.string().describe('Of the audio, in lower-case hex.'),
  uploadedAt: instantText().describe('When the upload was complete.'),
});

export const callExample = {
  id: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a50',
  telephonyCallControlId: 'v3:MdI91X4lWFEs7IgbBEOT9M4AigoY08M0',
  fromNumber: '+351912345678',
  toNumber: '+351210000000',
  status: 'completed',
  outcome: 'booking_created',
  startedAt: '2026-03-02T09:30:00.000Z',
  endedAt: '2026-03-02T09:32:24.500Z',
  durationSeconds: 145,
  transcriptionWordCount: 212,
} as const;

export const callEventExamples = [
  {
    id: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a51',
    eventType: 'speech',
    sequence: 0,
    transcript: 'Bom dia, queria marcar uma consulta.',
    toolName: null,
    toolInput: null,
    toolOutput: null,
    occurredAt: '2026-03-02T09:30:04.120Z',
  },
  {
    id: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a52',
    eventType: 'tool_call',
    sequence: 1,
    transcript: null,
    toolName: 'find_slots',
    toolInput: { from: '2026-03-03' },
    toolOutput: null,
    occurredAt: '2026-03-02T09:30:09.800Z',
  },
] as const;

export const recordingUrlExample =
  'https://api.example.com/recordings/0195571c-5a60-7a3e-9f00-2f5d1c9b7a53?expires=1772530344500&signature=mV0uKp3pYdP8y1kQmQ0u3kCz5yB7cX2n9w4s6t8v0x';

export const recordingExample = {
  callId: callExample.id,
  contentType: 'audio/wav',
  sizeBytes: 4_624_044,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  uploadedAt: '2026-03-02T09:32:34.500Z',
};
