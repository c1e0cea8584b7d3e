import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** How long a client may take to read one piece, and the whole response. */
export interface ReadingTimes {
  silentMs: number;
  totalMs: number;
}

export interface SendingOptions extends ReadingTimes {
  /** Counts a piece as unread until the returned function is called. */
  hold: (bytes: number) => () => void;
}

/**
 * The maximum number of bytes that are read and dropped of a refused request that is still arriving:
 * docs/limits.md#body-sizes
 */
const MAX_UNSEEN_BYTES = 1_000_000;
const MAX_UNSEEN_MS = 2000;

/**
 * Sends pieces one by one, each after the client has taken the last, so that all can use one buffer. Only waiting for
 * the client counts towards the limits. A client that is too slow is disconnected. An error in a piece breaks the
 * connection, because the status is already sent. Resolves when the connection has finished the response.
 */
export async function sendPieces(
  request: IncomingMessage,
  response: ServerResponse,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  { hold, ...times }: SendingOptions,
): Promise<void> {
  const isSenderBusy = !request.complete && !request.destroyed;
  if (isSenderBusy) response.setHeader('Connection', 'close');
  const reader = new Reader(request, response, times);
  try {
    for await (const piece of pieces) {
      const release = hold(piece.length);
      if (!(await reader.takes(piece).finally(release))) return;
    }
  } catch (error) {
    response.destroy();
    throw error;
  }
  if (isSenderBusy) await untilSent(request, response);
  await reader.ends();
}

class Reader {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #silentMs: number;
  #leftMs: number;
  readonly #gone: Promise<false>;

  constructor(request: IncomingMessage, response: ServerResponse, { silentMs, totalMs }: ReadingTimes) {
    this.#request = request;
    this.#response = response;
    this.#silentMs = silentMs;
    this.#leftMs = totalMs;
    this.#gone = new Promise((resolve) => {
      if (response.destroyed) resolve(false);
      else response.once('close', () => resolve(false));
    });
  }

  /** Sends a piece and waits until the client has taken it; false when the connection ends first. */
  async takes(piece: Uint8Array): Promise<boolean> {
    // A response to a pipelined request waits until earlier ones are read.
    if (!this.#response.socket) await Promise.race([once(this.#response, 'socket'), this.#gone]);
    if (this.#response.destroyed) return false;
    const taken = new Promise<boolean>((resolve) => {
      this.#response.write(piece, (error) => resolve(!error));
    });
    return this.#inTime(taken);
  }

  async ends(): Promise<void> {
    this.#response.end();
    await this.#inTime(this.#gone);
  }

  async #inTime(awaited: Promise<boolean>): Promise<boolean> {
    const startedAt = performance.now();
    // A reset also frees what the kernel holds for the client.
    const hangUp = () => this.#request.socket.resetAndDestroy();
    const late = setTimeout(hangUp, Math.min(this.#silentMs, this.#leftMs));
    try {
      return await Promise.race([awaited, this.#gone]);
    } finally {
      clearTimeout(late);
      this.#leftMs -= performance.now() - startedAt;
    }
  }
}

/**
 * A client that is still sending a body no one reads would see a broken pipe instead of the response, because Node
 * closes the connection after it. So the response is sent, some more input is dropped, and then the connection ends.
 */
function untilSent(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  response.flushHeaders();
  const patience = setTimeout(resolve, MAX_UNSEEN_MS);
  request.once('close', resolve);
  let unseenBytes = 0;
  request.on('data', ({ length }: Buffer) => {
    unseenBytes += length;
    // The sender may read the response until the time limit.
    if (unseenBytes > MAX_UNSEEN_BYTES) request.pause();
  });
  request.resume();
  return promise.finally(() => clearTimeout(patience));
}
