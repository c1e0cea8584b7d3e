import { createHash } from 'node:crypto';
import { ServiceError } from '../../domain/service-error.ts';

export type MeasuredAudio = ReturnType<typeof measureAudio>;

/**
 * Measures audio while it passes through. Reading it throws `payload_too_large`, `malformed_request` when it is empty,
 * and the errors of `pieces`.
 */
export function measureAudio(pieces: AsyncIterable<Uint8Array>, limitBytes: number) {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  let fault: ServiceError | null = null;

  async function* pass(): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of pieces) {
        sizeBytes += piece.length;
        if (sizeBytes > limitBytes) throw tooLarge(limitBytes);
        hash.update(piece);
        yield piece;
      }
      if (sizeBytes === 0) throw new ServiceError('malformed_request', 'The request needs an audio body.');
    } catch (error) {
      if (error instanceof ServiceError) fault = error;
      throw error;
    }
  }

  return {
    pieces: pass(),
    /** The size and hash, after all pieces have been read. */
    measured: () => ({ sizeBytes, sha256: hash.digest() }),
    /** The fault of the audio itself: too large, empty or interrupted. Null for other errors. */
    fault: () => fault,
  };
}

function tooLarge(limitBytes: number): ServiceError {
  return new ServiceError('payload_too_large', `The recording is larger than ${limitBytes} bytes.`);
}
