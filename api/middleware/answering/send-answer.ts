import type { Answer } from '../../contract/implement.ts';
import type { ApiContext } from '../request-state.ts';
import { sendBytes } from './send-bytes.ts';

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
