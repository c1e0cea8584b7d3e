import { z } from 'zod';
import type { Logger } from '../../adapters/logs/logger.ts';
import type { RecordingStorage } from '../../adapters/recordings/recording-storage.ts';
import { readRecording } from '../../adapters/recordings/recording-seal.ts';
import { findClinicOfRecording, findRecording, isLinkMakerValid } from '../../db/calls/recordings.ts';
import type { CallRecordingRow } from '../../db/entities/calls/call-recording.entity.ts';
import { linkMakerIn } from '../../domain/calls/recording-link.ts';
import { requestedRange, type ByteRange } from '../../domain/calls/byte-range.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { AUDIO_TYPES } from '../calls/call-schemas.contract.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { answer, implement } from '../contract/implement.ts';
import type { HandlerRequest } from '../contract/route.ts';
import { limitDownloads, untilTaken } from './transfer-limits.ts';
import { temporarilyUnavailable } from '../middleware/answering/translate-errors.ts';

/** Accepts any text, so that an invalid link returns 404, whatever is wrong with it. */
const anyText = z.string().optional();

/** Downloads by link; uploads are in api/calls/contract.ts */
const recordingContracts = defineContracts('Calls', null, {
  getRecording: {
    operation: 'GET /recordings/{id}',
    summary: 'Download a recording',
    description:
      'Use the link from `GET /v1/calls/{id}/recording` unchanged. The link is signed, so no API key is needed. One `Range` is ' +
      'supported, and so is HEAD. The response is 404 when the link has expired or is invalid, when its key or session is no longer valid, while the clinic’s subscription is cancelled, and when the recording was replaced or deleted.',
    access: 'public',
    path: z.strictObject({ id: z.string().describe('The recording.') }),
    query: z.looseObject({
      expires: anyText.describe('From the link: when it expires, in milliseconds since 1970.'),
      by: anyText.describe('From the link: the key or session that created it.'),
      signature: anyText.describe('From the link.'),
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
        description: 'The requested part.',
        bytes: AUDIO_TYPES,
        headers: ['Accept-Ranges', 'Cache-Control', 'Content-Range'],
      },
      416: { description: 'The recording ends before the requested part.', headers: ['Content-Range'] },
    },
    errors: ['rate_limited'],
  },
});

const PRIVATE = { 'Cache-Control': 'private' };

type Request = HandlerRequest<typeof recordingContracts.getRecording>;

export const recordingRoutes = implement(recordingContracts, ({ database, recordings, unread, logger }) => {
  const { links, storage } = recordings;
  const from = { ciphers: database.ciphers, storage: sayingWhenAway(storage, logger) };
  const beginDownload = limitDownloads();
  return {
    getRecording: async (request) => {
      unread.requireRoom(null);
      const recording = await linkedRecording(request);
      unread.requireRoom(recording.tenantId);
      const read = (range: ByteRange) => {
        const end = beginDownload(recording.tenantId, request.query.signature ?? '');
        return untilTaken(() => readRecording(from, recording, range), end);
      };
      const given = await send(recording, read, request, logger);
      return { ...given, clinicId: recording.tenantId };
    },
  };

  async function linkedRecording({ path, query, context }: Request): Promise<CallRecordingRow> {
    const { expires = '', by = '', signature = '' } = query;
    const maker = linkMakerIn(by);
    if (!maker || !links.isValid(path.id, { expires, by, signature }, context.now)) throw noSuchRecording();
    const tenantId = await findClinicOfRecording(database.admission(), path.id);
    if (tenantId === null) throw noSuchRecording();
    const recording = await database.ofClinic(tenantId).read(async (em) => {
      const isKeyValid = await isLinkMakerValid(em, { ...maker, tenantId, now: context.now });
      return isKeyValid ? findRecording(em, tenantId, path.id) : null;
    });
    if (!recording) throw noSuchRecording();
    return recording;
  }
});

async function send(
  recording: CallRecordingRow,
  read: (range: ByteRange) => Promise<AsyncIterable<Uint8Array> | null>,
  { headers, isHead }: Request,
  logger: Logger,
) {
  const { sizeBytes } = recording;
  const part = requestedRange(headers.range, sizeBytes);
  if (part === 'unsatisfiable') return answer(416, undefined, { 'Content-Range': `bytes */${sizeBytes}` });
  const range = part ?? { first: 0, last: sizeBytes - 1 };
  const audio = isHead ? undefined : await read(range);
  if (audio === null) {
    logger.error({ recordingId: recording.id, tenantId: recording.tenantId }, 'recording.bytes_missing');
    throw noSuchRecording();
  }
  const described = {
    ...PRIVATE,
    'Content-Type': recording.contentType,
    'Content-Length': String(range.last - range.first + 1),
    'Accept-Ranges': 'bytes',
  };
  if (!part) return answer(200, audio, described);
  const contentRange = `bytes ${range.first}-${range.last}/${sizeBytes}`;
  return answer(206, audio, { ...described, 'Content-Range': contentRange });
}

/** Reports a storage failure as unavailable, without details. */
function sayingWhenAway(storage: Pick<RecordingStorage, 'read'>, logger: Logger): typeof storage {
  return {
    read: (name, range) =>
      storage.read(name, range).catch((error: unknown) => {
        logger.error({ recordingId: name.id, tenantId: name.tenantId, err: error }, 'recording.not_read');
        throw temporarilyUnavailable('The recording is unavailable. Try again shortly.');
      }),
  };
}

function noSuchRecording(): ServiceError {
  return new ServiceError(
    'not_found',
    'This recording does not exist, or the link has expired. Ask for a new link.',
  );
}
