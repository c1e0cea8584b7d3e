/**
 * Combines pieces into chunks of one size; only the last may be smaller. All chunks use one buffer, so each is valid
 * only until the next is requested. The memory of the pieces is freed unless it is shared.
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
 * Frees the memory of a piece at once. Left to the garbage collector, tens of megabytes would pile up for a large
 * recording. Shared memory is left alone.
 */
export function releaseMemory({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
