/**
 * Gives the memory of a piece back now that nobody needs it. Left to the collector, tens of megabytes would pile up over
 * a large recording. Pieces that share their memory with others are left alone.
 */
export function releaseMemory({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
