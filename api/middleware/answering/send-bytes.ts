import type { ServerResponse } from 'node:http';
import type { ApiContext } from '../request-state.ts';

/** A receiver who takes nothing for so long is gone. */
const SILENCE_LIMIT_MS = 300_000;

/**
 * Sends pieces one by one, each when the one before has left: whoever makes them may use one buffer for all. Ends
 * quietly when the client goes away; a source that fails breaks the connection, for the status is out.
 */
export async function sendBytes({ res }: ApiContext, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  res.setTimeout(SILENCE_LIMIT_MS);
  try {
    for await (const piece of pieces) {
      if (!(await hasLeft(res, piece))) return;
    }
    res.end();
  } catch (error) {
    res.destroy();
    throw error;
  }
}

function hasLeft(response: ServerResponse, piece: Uint8Array): Promise<boolean> {
  return new Promise((resolve) => response.write(piece, (error) => resolve(!error)));
}
