import type { ServerResponse } from 'node:http';
import type { Answer } from '../../contract/implement.ts';
import type { ApiContext } from '../request-state.ts';

/** A receiver who takes nothing for so long is gone. */
const SILENCE_LIMIT_MS = 300_000;

/** Resolves when a streamed answer is out; others are sent by Koa in the end. */
export async function sendAnswer(ctx: ApiContext, { status, body, headers = {} }: Answer): Promise<void> {
  const pieces = isStreamed(body) ? body : null;
  if (!pieces) ctx.state.answer = body;
  if (body === undefined) ctx.body = null;
  else if (!pieces) sendJson(ctx, body);
  // After the body, because Koa guesses status and headers when it is given one.
  ctx.status = status;
  ctx.set(headers);
  if (!pieces) return;
  ctx.respond = false;
  await sendBytes(ctx, pieces);
}

function isStreamed(body: unknown): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

function sendJson(ctx: ApiContext, body: unknown): void {
  ctx.type = 'application/json';
  ctx.body = JSON.stringify(body);
}

/**
 * Sends pieces one by one, each when the one before has left: whoever makes them may use one buffer for all. Ends
 * quietly when the client goes away; a source that fails breaks the connection, for the status is out.
 */
async function sendBytes({ res }: ApiContext, pieces: AsyncIterable<Uint8Array>): Promise<void> {
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
