import { z } from 'zod';
import { defineContracts } from '../contract/define-contracts.ts';
import { AUDIO_TYPES } from '../calls/call-schemas.contract.ts';

/** Any text: a link that is not ours is a 404, whatever is wrong with it. */
const anyText = z.string().optional();

/** Reading by a link; uploads are of the calls: api/calls/ingest.contract.ts */
export const recordingContracts = defineContracts('Calls', null, {
  getRecording: {
    operation: 'GET /recordings/{id}',
    summary: 'The audio behind a recording link',
    description:
      'Take the whole link from `GET /v1/calls/{id}/recording`; its signature stands in for an API key. One `Range` is ' +
      'honoured, and so is HEAD. 404 when the link has ended or is not ours, and when the recording was replaced or erased.',
    access: 'public',
    path: z.strictObject({ id: z.string().describe('Which recording.') }),
    query: z.looseObject({
      expires: anyText.describe('As in the link: when it ends, in milliseconds since 1970.'),
      signature: anyText.describe('As in the link.'),
    }),
    headers: z.object({
      range: anyText.meta({ description: 'One range of bytes.', examples: ['bytes=0-65535'] }),
    }),
    responses: {
      200: {
        description: 'The whole recording.',
        bytes: AUDIO_TYPES,
        headers: ['Accept-Ranges', 'Cache-Control'],
      },
      206: {
        description: 'The part asked for.',
        bytes: AUDIO_TYPES,
        headers: ['Accept-Ranges', 'Cache-Control', 'Content-Range'],
      },
      416: { description: 'The recording ends before the part asked for.', headers: ['Content-Range'] },
    },
  },
});
