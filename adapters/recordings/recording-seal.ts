import { randomBytes } from 'node:crypto';
import type { ByteRange } from '../../domain/calls/byte-range.ts';
import type { ClinicCiphers } from '../../domain/encryption/clinic-ciphers.ts';
import { recordingKey } from '../../domain/encryption/sealed-places.ts';
import { SecretUnreadableError } from '../../domain/encryption/text-cipher.ts';
import type { RecordingName, RecordingStorage } from './recording-storage.ts';
import { openAudio, rangeOfChunks, sealAudio } from './sealed-audio.ts';

const KEY_BYTES = 32;

/** What the storage is told of audio that nobody can hear there. */
const SEALED_TYPE = 'application/octet-stream';

type Pieces = AsyncIterable<Uint8Array>;

/**
 * A key of the recording's own, which that of its clinic seals: the bytes are no use to who has neither, and none to anybody
 * once the row is gone.
 */
export async function newRecordingSeal(ciphers: ClinicCiphers, name: RecordingName) {
  const cipher = await ciphers.of(name.tenantId);
  const key = randomBytes(KEY_BYTES);
  return {
    keySealed: cipher.encrypt(key.toString('base64'), recordingKey(name)),
    contentType: SEALED_TYPE,
    seal: (pieces: Pieces) => sealAudio(key, pieces),
  };
}

interface StoredRecording extends RecordingName {
  /** Of the audio. */
  sizeBytes: number;
  keySealed: string | null;
}

/**
 * A part of a recording, or all of it, wherever it is stored. Each piece is good until the next is asked for. Null when the
 * storage does not have it. @throws SecretUnreadableError
 */
export async function readRecording(
  { storage, ciphers }: { storage: Pick<RecordingStorage, 'read'>; ciphers: ClinicCiphers },
  recording: StoredRecording,
  range: ByteRange = { first: 0, last: recording.sizeBytes - 1 },
): Promise<AsyncIterable<Uint8Array> | null> {
  const { tenantId, keySealed, sizeBytes } = recording;
  if (keySealed === null) throw new SecretUnreadableError('A recording without its key');
  const cipher = await ciphers.of(tenantId);
  const key = Buffer.from(cipher.decrypt(keySealed, recordingKey(recording)), 'base64');
  const chunks = await storage.read(recording, rangeOfChunks(range, sizeBytes));
  return chunks && openAudio(key, range, sizeBytes, chunks);
}
