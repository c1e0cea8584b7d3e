import { z } from 'zod';
import { callEventType, callOutcome, callStatus } from '../../domain/named-enums.schema.ts';
import { id, instantText } from '../contract/fields.ts';

export const outcome = callOutcome;
export const eventType = callEventType;
const phone = z.string().meta({ description: 'E.164' });
const json = z.record(z.string(), z.unknown());

const callFields = {
  id: id(),
  telephonyCallControlId: z.string().nullable(),
  fromNumber: phone,
  toNumber: phone,
  status: callStatus,
  outcome: outcome.nullable(),
  startedAt: instantText(),
  endedAt: instantText().nullable(),
  durationSeconds: z.int().min(0).nullable(),
  transcriptionWordCount: z.int().min(0).nullable(),
};

/** docs/calls.md#fields */
export const callSchema = z.object(callFields).meta({ id: 'Call' });

/** docs/calls.md#fields */
export const callEventSchema = z
  .object({
    id: id(),
    eventType,
    sequence: z.int().min(0),
    transcript: z.string().nullable(),
    toolName: z.string().nullable(),
    toolInput: json.nullable(),
    toolOutput: json.nullable(),
    occurredAt: instantText(),
  })
  .meta({ id: 'CallEvent' });

/** docs/calls.md#reading */
export const callDetailSchema = z
  .object({
    call: z.object({
      ...callFields,
      metadata: json,
      recordingUrl: z
        .url()
        .nullable()
        .meta({
          description:
            'Opens the recording without a key until `recordingExpiresAt`. Null without a recording, and for keys ' +
            'without the scope `recordings:read`.',
        }),
      recordingExpiresAt: instantText().nullable(),
    }),
    events: z.array(callEventSchema).meta({ description: 'By `sequence`.' }),
  })
  .meta({ id: 'CallDetail' });

export const recordingLinkSchema = z
  .object({ url: z.url(), expiresInSeconds: z.int() })
  .meta({ id: 'RecordingLink' });

export const recordingSchema = z
  .object({
    callId: id(),
    contentType: z.string(),
    sizeBytes: z.int().min(1),
    sha256: z.string().meta({ description: 'Of the audio, in lower-case hex.' }),
    uploadedAt: instantText(),
  })
  .meta({ id: 'Recording' });

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
