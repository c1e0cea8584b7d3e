import { Readable } from 'node:stream';
import type { Answer } from '../contract/implement.ts';
import type { ApiContext } from './request-state.ts';

export function sendAnswer(ctx: ApiContext, { status, body, headers = {} }: Answer): void {
  if (body === undefined) ctx.body = null;
  else if (body instanceof Readable) ctx.body = body;
  else sendJson(ctx, body);
  // Last, because Koa guesses status and headers when it is given a body.
  ctx.status = status;
  ctx.set(headers);
}

function sendJson(ctx: ApiContext, body: unknown): void {
  ctx.type = 'application/json';
  ctx.body = JSON.stringify(body);
}
