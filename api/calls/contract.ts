import { CALLER_NUMBER, isStandIn, WITHHELD } from '../../domain/calls/withheld-number.ts';
import { canonicalNumber } from '../../adapters/phones/read-phone-number.ts';
import { z } from 'zod';
import { cursorByTime } from '../../domain/lists/cursor.schema.ts';
import { languageTagSchema } from '../../domain/text/language-tag.schema.ts';
import {
  callEventType,
  callOutcome,
  callSpeaker,
  recordingConsent,
} from '../../domain/named-enums.schema.ts';
import { oneAnswer, pageAnswer, listOf, recordedOnce } from '../contract/answers.ts';
import { defineContracts, type Withheld } from '../contract/define-contracts.ts';
import { showsCalls, showsTranscript, showsCall, showsCallEvents } from '../contract/shown-patients.ts';
import {
  instantParameter,
  limitParameter,
  freeObject,
  instant,
  orNull,
  lineText,
  phoneNumber,
  text,
  trueOrFalse,
} from '../contract/fields.ts';
import {
  callDetailSchema,
  callEventExamples,
  callExample,
  callSchema,
  evidenceExample,
  recordingLinkSchema,
  recordingUrlExample,
  AUDIO_TYPES,
  callEventSchema,
  recordingExample,
  recordingSchema,
} from './call-schemas.contract.ts';
import { RECORDING_LIMIT_BYTES } from '../../domain/calls/call.ts';

export const callCursor = cursorByTime('calls', 'startedAt');

export const callContracts = defineContracts('Calls', 'call', {
  listCalls: {
    operation: 'GET /v1/calls',
    summary: 'List calls',
    description:
      'Newest first. While `hasMore` is true, pass `nextCursor` as `cursor`. New calls do not affect paging.',
    access: ['calls:read'],
    shows: showsCalls,
    query: z.strictObject({
      cursor: callCursor.parameter.optional(),
      limit: limitParameter({ maximum: 200, default: 50 }),
      outcome: callOutcome.optional().describe('Only calls with this outcome.'),
      from: instantParameter().optional().describe('Earliest `startedAt`, inclusive.'),
      to: instantParameter().optional().describe('Latest `startedAt`, exclusive.'),
    }),
    responses: pageAnswer('A page of calls, by `startedAt` descending.', 'CallPage', callSchema, callExample),
  },
  getCall: {
    operation: 'GET /v1/calls/{id}',
    summary: 'Get a call',
    access: ['calls:read'],
    shows: showsTranscript,
    responses: oneAnswer(
      200,
      'The call, its events and, for keys with `recordings:read`, a link to its recording.',
      callDetailSchema,
      {
        call: {
          ...callExample,
          metadata: { language: 'pt' },
          ...evidenceExample,
          appointmentIds: ['0195571c-5a60-7a3e-9f00-2f5d1c9b7a20'],
          recordingUrl: recordingUrlExample,
          recordingExpiresAt: '2026-03-03T09:32:24.500Z',
        },
        events: callEventExamples,
      },
    ),
  },
  getCallRecording: {
    operation: 'GET /v1/calls/{id}/recording',
    summary: 'Get a link to a recording',
    description:
      'The link works without a key for 24 hours, also for parts of the recording (`Range`). It stops working earlier when the recording is ' +
      'replaced or erased. 404 when the call has no recording or does not exist.',
    access: ['recordings:read'],
    responses: oneAnswer(200, 'The link.', recordingLinkSchema, {
      url: recordingUrlExample,
      expiresInSeconds: 86_400,
    }),
  },
});

const METADATA_LIMIT_BYTES = 16 * 1024;
const TOOL_LIMIT_BYTES = 64 * 1024;
const MAX_INTEGER = 2_147_483_647;

const REPEATS =
  'Safe to repeat: the first request returns 201, an identical request 200, and a request with different content 409.';

const ADDS_EVIDENCE =
  'A repeat can add evidence that is still null, and set `recordingConsent` to `refused`, which erases the recording.';

const wholeNumber = z.int().min(0).max(MAX_INTEGER);

const SAYS_LESS =
  'For a key without `calls:read`, the response contains only the phone numbers that the request sent; other phone numbers are null.';

/** The phone numbers of a call, which need `calls:read`. */
const withholds: Withheld = { readScope: 'calls:read', fields: { fromNumber: null, toNumber: null } };

const evidence = {
  aiDisclosedAt: orNull(instant().nullable()).describe(
    'When the caller was told that an AI is speaking, with an offset.',
  ),
  recordingConsent: orNull(recordingConsent.nullable()).describe(
    'Whether the caller agreed to be recorded. With `refused`, no recording is kept.',
  ),
  language: orNull(languageTagSchema.nullable()).describe(
    'The language of the call, a BCP 47 tag such as `pt-PT`, at most 35 characters.',
  ),
  summary: orNull(text({ max: 2000 }).nullable())
    .transform((summary) => summary || null)
    .describe('What the call was about, at most 2000 characters.'),
};

const startBody = z.strictObject({
  fromNumber: z
    .string()
    .regex(CALLER_NUMBER, 'must be a phone number in E.164 format, or null if it is withheld')
    .nullable()
    .transform((number) => (number === null || isStandIn(number) ? WITHHELD : canonicalNumber(number)))
    .describe(
      'The caller’s number, E.164. Null if it is withheld. Texts that carriers send for a withheld number, such as `anonymous`, count as null.',
    ),
  toNumber: phoneNumber().transform(canonicalNumber).describe('The number that was called, E.164.'),
  startedAt: instant().describe('When the call started, with an offset.'),
  telephonyCallControlId: orNull(lineText({ min: 1, max: 255 }).nullable()).describe(
    'The carrier’s ID of the call, 1 to 255 characters. Null for none.',
  ),
  metadata: freeObject(METADATA_LIMIT_BYTES).optional().describe('Your own data, at most 16 KiB of JSON.'),
  ...evidence,
});

const eventsBody = z.strictObject({
  events: z
    .array(
      z.strictObject({
        sequence: wholeNumber.meta({
          description: 'The position in the call, 0 to 2147483647. Unique within the call.',
        }),
        eventType: callEventType,
        occurredAt: instant().describe('When it happened, with an offset.'),
        speaker: orNull(callSpeaker.nullable()).describe('Who spoke, or null.'),
        transcript: orNull(text({ max: 100_000 }).nullable()).describe(
          'What was said, at most 100,000 characters.',
        ),
        toolName: orNull(lineText({ min: 1, max: 200 }).nullable()).describe(
          'The tool that the AI receptionist used, 1 to 200 characters.',
        ),
        toolInput: orNull(freeObject(TOOL_LIMIT_BYTES).nullable()).describe(
          'The tool’s input, at most 64 KiB of JSON.',
        ),
        toolOutput: orNull(freeObject(TOOL_LIMIT_BYTES).nullable()).describe(
          'The tool’s output, at most 64 KiB of JSON.',
        ),
      }),
    )
    .min(1)
    .max(500)
    .describe('1 to 500, in any order.'),
});

const completeBody = z.strictObject({
  endedAt: instant().describe('When the call ended, with an offset.'),
  outcome: callOutcome,
  transcriptionWordCount: orNull(wholeNumber.nullable()).describe('The number of words said, or null.'),
  ...evidence,
});

const started = { ...callExample, status: 'in_progress', outcome: null, endedAt: null } as const;
const startedExample = { ...started, durationSeconds: null, transcriptionWordCount: null };

export const callIngestContracts = defineContracts('Call ingest', 'call', {
  startCall: {
    operation: 'PUT /v1/calls/{id}',
    access: ['calls:write'],
    shows: showsCall,
    withholds,
    summary: 'Start a call',
    description: `You choose the ID. ${REPEATS} ${ADDS_EVIDENCE} Sends \`call.started\`.`,
    body: {
      schema: startBody,
      examples: {
        started: {
          fromNumber: callExample.fromNumber,
          toNumber: callExample.toNumber,
          startedAt: callExample.startedAt,
          telephonyCallControlId: callExample.telephonyCallControlId,
          metadata: { language: 'pt' },
          aiDisclosedAt: evidenceExample.aiDisclosedAt,
          recordingConsent: evidenceExample.recordingConsent,
          language: evidenceExample.language,
        },
      },
    },
    responses: recordedOnce(
      callSchema,
      startedExample,
      'The call, in progress.',
      'The call, already recorded.',
    ),
    errors: ['external_id_conflict', 'clinic_limit_reached'],
  },
  appendCallEvents: {
    operation: 'POST /v1/calls/{id}/events',
    access: ['calls:write'],
    shows: showsCallEvents,
    summary: 'Add events to a call',
    description: `Records what was said and done. Either all events of the request are recorded or none. You can send events in any order, also after the end of the call. A call can have at most 2,000 events with a total of 4 MiB. ${REPEATS}`,
    body: {
      schema: eventsBody,
      examples: { speech: { events: callEventExamples.map(({ id: _id, ...event }) => event) } },
    },
    responses: recordedOnce(
      listOf(callEventSchema, 'CallEventList'),
      { items: callEventExamples },
      'The events of the request by `sequence`; at least one is new.',
      'The events of the request by `sequence`, all already recorded.',
    ),
    errors: ['external_id_conflict', 'call_limit_reached'],
  },
  completeCall: {
    operation: 'POST /v1/calls/{id}/complete',
    access: ['calls:write'],
    shows: showsCall,
    withholds,
    summary: 'Complete a call',
    description: `${REPEATS} ${ADDS_EVIDENCE} Sends \`call.completed\`. ${SAYS_LESS}`,
    body: {
      schema: completeBody,
      examples: {
        booked: {
          endedAt: callExample.endedAt,
          outcome: 'booking_created',
          transcriptionWordCount: 212,
          summary: evidenceExample.summary,
        },
      },
    },
    responses: recordedOnce(callSchema, callExample, 'The call, completed.', 'The call, already completed.'),
    errors: ['external_id_conflict'],
  },
  uploadCallRecording: {
    operation: 'PUT /v1/calls/{id}/recording',
    access: ['calls:write'],
    summary: 'Upload the recording of a call',
    description:
      `The body is the audio itself, 200 MB at most. ${REPEATS} With \`replace=true\`, different audio replaces ` +
      'the recording (201), and its links stop working. Sends `call.recording_ready`. An incomplete upload is discarded.',
    query: z.strictObject({
      replace: trueOrFalse
        .optional()
        .describe('`true`: different audio replaces the recording. By default, `false`.'),
    }),
    stream: { mediaTypes: AUDIO_TYPES, maxBytes: RECORDING_LIMIT_BYTES },
    responses: recordedOnce(
      recordingSchema,
      recordingExample,
      'The recording, stored.',
      'The recording, already stored.',
    ),
    errors: ['external_id_conflict', 'recording_refused', 'clinic_limit_reached'],
  },
  eraseCallRecording: {
    operation: 'DELETE /v1/calls/{id}/recording',
    access: ['calls:write'],
    summary: 'Delete a recording',
    description:
      'Links to the recording stop working immediately. The response is also 204 when the call has no recording.',
    responses: { 204: { description: 'The call has no recording.' } },
  },
});
