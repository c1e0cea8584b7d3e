import { randomBytes, createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto';
import type { ByteRange } from '../../domain/calls/byte-range.ts';
import type { ClinicCiphers } from '../../domain/encryption/clinic-ciphers.ts';
import { recordingKey } from '../../domain/encryption/sealed-places.ts';
import { SecretUnreadableError } from '../../domain/encryption/text-cipher.ts';
import type { RecordingName, RecordingStorage } from './recording-storage.ts';
import { inChunks, releaseMemory } from './in-chunks.ts';

const KEY_BYTES = 32;

/** The content type of encrypted audio in storage. */
const SEALED_TYPE = 'application/octet-stream';

type Pieces = AsyncIterable<Uint8Array>;

/**
 * Creates a key for one recording, encrypted with its clinic's key. The audio can only be read with both keys, and by
 * no one after the row is deleted.
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
  /** The size of the audio. */
  sizeBytes: number;
  keySealed: string | null;
}

/**
 * A part of a recording, or all of it. Each piece is valid until the next is requested. Null when the storage does not
 * have the recording. @throws SecretUnreadableError
 */
export async function readRecording(
  { storage, ciphers }: { storage: Pick<RecordingStorage, 'read'>; ciphers: ClinicCiphers },
  recording: StoredRecording,
  range: ByteRange = { first: 0, last: recording.sizeBytes - 1 },
): Promise<AsyncIterable<Uint8Array> | null> {
  const { tenantId, keySealed, sizeBytes } = recording;
  if (keySealed === null) throw new SecretUnreadableError('The recording has no key');
  const cipher = await ciphers.of(tenantId);
  const key = Buffer.from(cipher.decrypt(keySealed, recordingKey(recording)), 'base64');
  const chunks = await storage.read(recording, rangeOfChunks(range, sizeBytes));
  return chunks && openAudio(key, range, sizeBytes, chunks);
}

/** The size of a chunk. Chunks are encrypted separately, so that a part of the audio can be read without the rest. */
export const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const SEALED_CHUNK_BYTES = CHUNK_BYTES + TAG_BYTES;
const NONCE_BYTES = 12;

/**
 * AES-256-GCM by chunks. The key belongs to one recording, so a chunk's position is its nonce, and chunks cannot be
 * moved; the last one is marked, so none can be cut off (Hoang, Reyhanitabar, Rogaway, Vizár: STREAM, 2015).
 * @param key 32 bytes, for this recording only
 */
export async function* sealAudio(key: Uint8Array, pieces: AsyncIterable<Uint8Array>) {
  const secret = createSecretKey(key);
  let index = 0;
  for await (const { bytes, isLast } of inChunks(pieces, CHUNK_BYTES, { areOurs: true })) {
    yield sealChunk(secret, bytes, { index, isLast });
    index += 1;
  }
}

/** The byte range of the chunks with a part of the audio. @param sizeBytes the size of the audio */
export function rangeOfChunks({ first, last }: ByteRange, sizeBytes: number): ByteRange {
  const sealedBytes = sizeBytes + Math.ceil(sizeBytes / CHUNK_BYTES) * TAG_BYTES;
  return {
    first: Math.floor(first / CHUNK_BYTES) * SEALED_CHUNK_BYTES,
    last: Math.min((Math.floor(last / CHUNK_BYTES) + 1) * SEALED_CHUNK_BYTES, sealedBytes) - 1,
  };
}

/**
 * Decrypts a part of the audio. Each piece is valid until the next is requested.
 * @param chunks the bytes at `rangeOfChunks`, in pieces of any size
 * @throws SecretUnreadableError before returning anything that was modified
 */
export async function* openAudio(
  key: Uint8Array,
  { first, last }: ByteRange,
  sizeBytes: number,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const secret = createSecretKey(key);
  const lastIndex = Math.ceil(sizeBytes / CHUNK_BYTES) - 1;
  let index = Math.floor(first / CHUNK_BYTES);
  for await (const { bytes: sealed } of inChunks(chunks, SEALED_CHUNK_BYTES, { areOurs: false })) {
    const audio = openChunk(secret, sealed, { index, isLast: index === lastIndex });
    const begin = index * CHUNK_BYTES;
    yield audio.subarray(Math.max(first - begin, 0), Math.min(last - begin + 1, audio.length));
    releaseMemory(audio);
    index += 1;
  }
  if (index <= Math.floor(last / CHUNK_BYTES)) {
    throw new Error('a recording is shorter than it was when it was stored');
  }
}

interface ChunkPlace {
  index: number;
  isLast: boolean;
}

function nonceOf({ index, isLast }: ChunkPlace): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUInt8(isLast ? 1 : 0, 0);
  nonce.writeUInt32BE(index, NONCE_BYTES - 4);
  return nonce;
}

function sealChunk(key: KeyObject, audio: Uint8Array, place: ChunkPlace): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonceOf(place), { authTagLength: TAG_BYTES });
  const sealed = Buffer.allocUnsafeSlow(audio.length + TAG_BYTES);
  const body = cipher.update(audio);
  sealed.set(body);
  releaseMemory(body);
  cipher.final();
  sealed.set(cipher.getAuthTag(), audio.length);
  return sealed;
}

function openChunk(key: KeyObject, sealed: Uint8Array, place: ChunkPlace): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(place), { authTagLength: TAG_BYTES });
  try {
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    const audio = decipher.update(sealed.subarray(0, -TAG_BYTES));
    decipher.final();
    return audio;
  } catch (error) {
    throw new SecretUnreadableError('The encrypted recording was changed, or is another recording', {
      cause: error,
    });
  }
}
