/**
 * Pieces put together into chunks of one size; only the last is smaller. A chunk is good until the next one is asked for: all
 * are in one buffer. The memory of the pieces is given back, unless they are not ours.
 */
export async function* inChunks(
  pieces: AsyncIterable<Uint8Array>,
  chunkBytes: number,
  { areOurs }: { areOurs: boolean },
) {
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
    if (areOurs) releaseMemory(piece);
  }
  if (filled > 0) yield { bytes: buffer.subarray(0, filled), isLast: true };
}

/**
 * Gives the memory of a piece back now that no one needs it. Left to the collector, tens of megabytes would pile up over
 * a large recording. Pieces that share their memory with others are left alone.
 */
export function releaseMemory({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
