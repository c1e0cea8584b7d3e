import { z } from 'zod';
import { RECORDING_LIMIT_BYTES } from '../../domain/calls/call.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { freeObject, id, instant, listOf, phoneNumber, text } from '../contract/fields.ts';
import {
  callEventExamples,
  callEventSchema,
  callExample,
  callSchema,
  eventType,
  outcome,
  recordingExample,
  recordingSchema,
} from './call-schemas.contract.ts';

const METADATA_LIMIT_BYTES = 16 * 1024;
const TOOL_LIMIT_BYTES = 64 * 1024;
const LARGEST_INTEGER = 2_147_483_647;

const REPEATS =
  'Safe to repeat: the first request answers 201, an identical one 200 and changes nothing, one with other content 409.';

const callEventList = listOf(callEventSchema, 'CallEventList');

const byId = z.strictObject({ id: id() });
const wholeNumber = z.int().min(0).max(LARGEST_INTEGER);

const startBody = z.strictObject({
  fromNumber: phoneNumber(),
  toNumber: phoneNumber(),
  startedAt: instant(),
  telephonyCallControlId: text({ min: 1, max: 255 }).nullish(),
  metadata: freeObject(METADATA_LIMIT_BYTES).optional(),
});

const eventsBody = z.strictObject({
  events: z
    .array(
      z.strictObject({
        sequence: wholeNumber.meta({ description: 'The place in the call; unique within it.' }),
        eventType,
        occurredAt: instant(),
        transcript: text({ max: 100_000 }).nullish(),
        toolName: text({ min: 1, max: 200 }).nullish(),
        toolInput: freeObject(TOOL_LIMIT_BYTES).nullish(),
        toolOutput: freeObject(TOOL_LIMIT_BYTES).nullish(),
      }),
    )
    .min(1)
    .max(500),
});

const completeBody = z.strictObject({
  endedAt: instant(),
  outcome,
  transcriptionWordCount: wholeNumber.nullish(),
});

const started = { ...callExample, status: 'in_progress', outcome: null, endedAt: null } as const;
const startedExample = { ...started, durationSeconds: null, transcriptionWordCount: null };

export const callIngestContracts = defineContracts({
  startCall: {
    method: 'PUT',
    path: '/v1/calls/{id}',
    tag: 'Call ingest',
    summary: 'Record that a call has begun',
    description: `The id is chosen by the caller. ${REPEATS} Emits \`call.started\`.`,
    access: ['calls:write'],
    rateClass: 'key',
    request: {
      path: byId,
      body: {
        schema: startBody,
        examples: {
          started: {
            fromNumber: callExample.fromNumber,
            toNumber: callExample.toNumber,
            startedAt: callExample.startedAt,
            telephonyCallControlId: callExample.telephonyCallControlId,
            metadata: { language: 'pt' },
          },
        },
      },
    },
    responses: {
      201: { description: 'The call, in progress.', schema: callSchema, example: startedExample },
      200: { description: 'The call, recorded before.', schema: callSchema, example: startedExample },
    },
    errors: ['not_found', 'external_id_conflict'],
  },
  appendCallEvents: {
    method: 'POST',
    path: '/v1/calls/{id}/events',
    tag: 'Call ingest',
    summary: 'Record what was said and done in a call',
    description: `All of them or none, in any order, also after the end of the call, which holds at most 2,000 events and 4 MiB of them. ${REPEATS}`,
    access: ['calls:write'],
    rateClass: 'key',
    request: {
      path: byId,
      body: {
        schema: eventsBody,
        examples: { speech: { events: callEventExamples.map(({ id: _id, ...event }) => event) } },
      },
    },
    responses: {
      201: {
        description: 'The events of the request by `sequence`; at least one is new.',
        schema: callEventList,
        example: { items: callEventExamples },
      },
      200: {
        description: 'The events of the request by `sequence`, all recorded before.',
        schema: callEventList,
        example: { items: callEventExamples },
      },
    },
    errors: ['not_found', 'external_id_conflict', 'call_limit_reached'],
  },
  completeCall: {
    method: 'POST',
    path: '/v1/calls/{id}/complete',
    tag: 'Call ingest',
    summary: 'Record that a call has ended',
    description: `${REPEATS} Emits \`call.completed\`.`,
    access: ['calls:write'],
    rateClass: 'key',
    request: {
      path: byId,
      body: {
        schema: completeBody,
        examples: {
          booked: { endedAt: callExample.endedAt, outcome: 'booking_created', transcriptionWordCount: 212 },
        },
      },
    },
    responses: {
      201: { description: 'The call, completed.', schema: callSchema, example: callExample },
      200: { description: 'The call, completed before.', schema: callSchema, example: callExample },
    },
    errors: ['not_found', 'external_id_conflict'],
  },
  uploadCallRecording: {
    method: 'PUT',
    path: '/v1/calls/{id}/recording',
    tag: 'Call ingest',
    summary: 'Upload the recording of a call',
    description:
      `The body is the audio itself, 200 MB at most. ${REPEATS} With \`replace=true\` other audio takes the place of ` +
      'the recording (201), whose links end. Emits `call.recording_ready`. A broken upload leaves nothing.',
    access: ['calls:write'],
    rateClass: 'key',
    request: {
      path: byId,
      query: z.strictObject({ replace: z.enum(['true', 'false']).optional() }),
      stream: { mediaType: 'audio/*', maxBytes: RECORDING_LIMIT_BYTES },
    },
    responses: {
      201: { description: 'The recording, stored.', schema: recordingSchema, example: recordingExample },
      200: {
        description: 'The recording, stored before.',
        schema: recordingSchema,
        example: recordingExample,
      },
    },
    errors: ['not_found', 'external_id_conflict'],
  },
  eraseCallRecording: {
    method: 'DELETE',
    path: '/v1/calls/{id}/recording',
    tag: 'Call ingest',
    summary: 'Erase the recording of a call',
    description: 'Its links end at once. 204 also when the call has no recording.',
    access: ['calls:write'],
    rateClass: 'key',
    request: { path: byId },
    responses: { 204: { description: 'The call has no recording now.' } },
    errors: ['not_found'],
  },
});
