import { isStreamed } from '../../../adapters/connections/send-bodies.ts';
import type { Answer } from '../../contract/implement.ts';
import type { ApiContext } from '../request-state.ts';

/** Hands an answer to `adapters/connections/send-bodies.ts`, which sends it. */
export function setAnswer(ctx: ApiContext, { status, body, headers = {} }: Answer): void {
  const isRecording = isStreamed(body);
  ctx.state.isLong = isRecording;
  if (!isRecording) ctx.state.answer = body;
  if (isRecording) ctx.body = body;
  else if (body === undefined) ctx.body = null;
  else setJson(ctx, body);
  // After the body, because Koa guesses status and headers when it is given one.
  ctx.status = status;
  ctx.set(headers);
}

function setJson(ctx: ApiContext, body: unknown): void {
  ctx.type = 'application/json';
  ctx.body = JSON.stringify(body);
}
