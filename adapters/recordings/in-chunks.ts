import { releaseMemory } from './release-memory.ts';

interface Chunk {
  /** Good until the next one is asked for: all are in one buffer. */
  bytes: Uint8Array;
  isLast: boolean;
}

/** Pieces put together into chunks of one size; only the last is smaller. The memory of the pieces is given back. */
export async function* inChunks(
  pieces: AsyncIterable<Uint8Array>,
  chunkBytes: number,
): AsyncGenerator<Chunk, void, undefined> {
  const buffer = Buffer.allocUnsafeSlow(chunkBytes);
  let filled = 0;
  for await (const piece of pieces) {
    for (let taken = 0; taken < piece.length;) {
      if (filled === chunkBytes) {
        yield { bytes: buffer, isLast: false };
        filled = 0;
      }
      const next = piece.subarray(taken, taken + chunkBytes - filled);
      buffer.set(next, filled);
      filled += next.length;
      taken += next.length;
    }
    releaseMemory(piece);
  }
  if (filled > 0) yield { bytes: buffer.subarray(0, filled), isLast: true };
}
