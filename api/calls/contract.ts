import { z } from 'zod';
import { cursorByTime } from '../../domain/cursor.schema.ts';
import { callOutcome } from '../../domain/named-enums.schema.ts';
import { oneAnswer, pageAnswer } from '../contract/answers.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { showsCalls, showsTranscript } from '../contract/shown-patients.ts';
import { instantParameter, limitParameter } from '../contract/fields.ts';
import {
  callDetailSchema,
  callEventExamples,
  callExample,
  callSchema,
  recordingLinkSchema,
  recordingUrlExample,
} from './call-schemas.contract.ts';

export const callCursor = cursorByTime('calls', 'startedAt');

export const callContracts = defineContracts('Calls', 'call', {
  listCalls: {
    operation: 'GET /v1/calls',
    summary: 'The calls of the clinic, latest first',
    description:
      'In pages: pass `nextCursor` as `cursor` while `hasMore`. New calls do not disturb the paging.',
    access: ['calls:read'],
    shows: showsCalls,
    query: z.strictObject({
      cursor: callCursor.parameter.optional(),
      limit: limitParameter({ maximum: 200, default: 50 }),
      outcome: callOutcome.optional().describe('With this outcome only.'),
      from: instantParameter().optional().describe('Earliest `startedAt`, inclusive.'),
      to: instantParameter().optional().describe('Latest `startedAt`, exclusive.'),
    }),
    responses: pageAnswer(
      'A page of calls by `startedAt`, descending; `from` is inclusive, `to` exclusive.',
      'CallPage',
      callSchema,
      callExample,
    ),
  },
  getCall: {
    operation: 'GET /v1/calls/{id}',
    summary: 'A call with what was said and done in it',
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
    summary: 'A link to the recording of a call',
    description:
      'The link works without a key for 24 hours, also for parts (`Range`), and ends early when the recording is ' +
      'replaced or erased. 404 when the call has no recording or does not exist.',
    access: ['recordings:read'],
    responses: oneAnswer(200, 'The link.', recordingLinkSchema, {
      url: recordingUrlExample,
      expiresInSeconds: 86_400,
    }),
  },
});
