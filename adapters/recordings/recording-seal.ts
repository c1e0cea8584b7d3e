import { randomBytes } from 'node:crypto';
import type { ClinicCiphers } from '../../domain/encryption/clinic-ciphers.ts';
import { recordingKey } from '../../domain/encryption/sealed-places.ts';
import type { RecordingName } from './recording-storage.ts';
import { sealAudio } from './sealed-audio.ts';

const KEY_BYTES = 32;

/** What the storage is told of audio that nobody can hear there. */
const SEALED_TYPE = 'application/octet-stream';

type Pieces = AsyncIterable<Uint8Array>;

/**
 * A key of the recording's own, which that of its clinic seals: the bytes are no use to who has neither, and none to anybody
 * once the row is gone. `keySealed` is null where the bytes are stored as they are.
 */
export async function newRecordingSeal(ciphers: ClinicCiphers, name: RecordingName, contentType: string) {
  const cipher = await ciphers.of(name.tenantId);
  if (!cipher.sealsFields) return { keySealed: null, contentType, seal: (pieces: Pieces) => pieces };
  const key = randomBytes(KEY_BYTES);
  return {
    keySealed: cipher.encrypt(key.toString('base64'), recordingKey(name)),
    contentType: SEALED_TYPE,
    seal: (pieces: Pieces) => sealAudio(key, pieces),
  };
}
