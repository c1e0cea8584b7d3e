import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import {
  CHUNK_BYTES,
  openAudio,
  rangeOfChunks,
  sealAudio,
} from '../../adapters/recordings/recording-seal.ts';
import { SecretUnreadableError } from '../../domain/encryption/text-cipher.ts';

const TAG_BYTES = 16;
const key = randomBytes(32);

/** In pieces of this size, each with memory of its own. */
async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield Uint8Array.from(bytes.subarray(at, at + size));
}

const sealed = (audio: Uint8Array, size = 1000) => buffer(sealAudio(key, inPieces(audio, size)));

async function opened(stored: Uint8Array, sizeBytes: number, first = 0, last = sizeBytes - 1) {
  const range = rangeOfChunks({ first, last }, sizeBytes);
  const chunks = inPieces(stored.subarray(range.first, range.last + 1), 777);
  const pieces: Buffer[] = [];
  // Each piece is good until the next is asked for.
  for await (const piece of openAudio(key, { first, last }, sizeBytes, chunks))
    pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

test.each([1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3 * CHUNK_BYTES, 200_001])(
  'audio of %d bytes opens as a whole and in every part, however it came in pieces',
  async (size) => {
    const audio = randomBytes(size);
    const stored = await sealed(audio, 70_001);
    expect(stored).toHaveLength(size + Math.ceil(size / CHUNK_BYTES) * TAG_BYTES);
    expect((await opened(stored, size)).equals(audio)).toBe(true);
    const ends = [0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, size - 1].filter((end) => end < size);
    for (const first of ends) {
      for (const last of ends.filter((end) => end >= first)) {
        expect((await opened(stored, size, first, last)).equals(audio.subarray(first, last + 1))).toBe(true);
      }
    }
  },
);

test('nothing is given out of a chunk that was changed, moved or cut off, or of another key', async () => {
  const size = 3 * CHUNK_BYTES;
  const stored = await sealed(randomBytes(size));
  const chunk = CHUNK_BYTES + TAG_BYTES;
  const changed = Uint8Array.from(stored);
  changed[5] = (changed[5] ?? 0) ^ 1;
  const moved = Buffer.concat([
    stored.subarray(chunk, 2 * chunk),
    stored.subarray(0, chunk),
    stored.subarray(2 * chunk),
  ]);
  for (const other of [changed, moved, stored.subarray(0, stored.length - 1)]) {
    await expect(opened(other, size)).rejects.toThrow(SecretUnreadableError);
  }
  await expect(opened(stored.subarray(0, 2 * chunk), size)).rejects.toThrow('shorter');
  // As if it had been so short from the beginning.
  await expect(opened(stored.subarray(0, 2 * chunk), 2 * CHUNK_BYTES)).rejects.toThrow(SecretUnreadableError);
  const range = { first: 0, last: size - 1 };
  const wrong = buffer(openAudio(randomBytes(32), range, size, inPieces(stored, 1000)));
  await expect(wrong).rejects.toThrow(SecretUnreadableError);
});
