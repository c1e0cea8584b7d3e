import type { Logger } from '../../adapters/logs/logger.ts';
import { readRecording } from '../../adapters/recordings/recording-seal.ts';
import { findClinicOfRecording, findRecording } from '../../db/calls/recordings.ts';
import type { CallRecordingRow } from '../../db/entities/call-recording.entity.ts';
import { requestedRange } from '../../domain/calls/byte-range.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { answer, implement, type HandlerRequest } from '../contract/implement.ts';
import { recordingContracts } from './contract.ts';

const PRIVATE = { 'Cache-Control': 'private' };

type Request = HandlerRequest<typeof recordingContracts.getRecording>;

export const recordingRoutes = implement(recordingContracts, ({ database, recordings, logger }) => {
  const { links, storage } = recordings;
  return {
    getRecording: async (request) => {
      const recording = await linkedRecording(request);
      return send(recording, { ciphers: database.ciphers, storage }, request, logger);
    },
  };

  async function linkedRecording({ path, query, context }: Request): Promise<CallRecordingRow> {
    const { expires = '', signature = '' } = query;
    if (!links.isValid(path.id, { expires, signature }, context.now)) throw noSuchRecording();
    const tenantId = await findClinicOfRecording(database.admission(), path.id);
    if (tenantId === null) throw noSuchRecording();
    const recording = await database.ofClinic(tenantId).read((em) => findRecording(em, tenantId, path.id));
    if (!recording) throw noSuchRecording();
    return recording;
  }
});

async function send(
  recording: CallRecordingRow,
  from: Parameters<typeof readRecording>[0],
  { headers, isHead }: Request,
  logger: Logger,
) {
  const { sizeBytes } = recording;
  const part = requestedRange(headers.range, sizeBytes);
  if (part === 'unsatisfiable') return answer(416, undefined, { 'Content-Range': `bytes */${sizeBytes}` });
  const range = part ?? { first: 0, last: sizeBytes - 1 };
  const audio = isHead ? undefined : await readRecording(from, recording, range);
  if (audio === null) {
    logger.error({ recordingId: recording.id, tenantId: recording.tenantId }, 'recording.bytes_missing');
    throw noSuchRecording();
  }
  const described = {
    ...PRIVATE,
    'Content-Type': recording.contentType,
    'Content-Length': String(range.last - range.first + 1),
    'Accept-Ranges': 'bytes',
    // A browser must not guess a page out of what a caller named audio.
    'X-Content-Type-Options': 'nosniff',
  };
  if (!part) return answer(200, audio, described);
  const contentRange = `bytes ${range.first}-${range.last}/${sizeBytes}`;
  return answer(206, audio, { ...described, 'Content-Range': contentRange });
}

function noSuchRecording(): ServiceError {
  return new ServiceError('not_found', 'There is no recording at this address.');
}
