import type { Answer } from '../contract/implement.ts';
import type { ApiContext } from './request-state.ts';

export function sendAnswer(ctx: ApiContext, { status, body, headers }: Answer): void {
  ctx.status = status;
  if (headers) ctx.set(headers);
  if (body === undefined) {
    ctx.body = null;
    return;
  }
  ctx.type = 'application/json';
  ctx.body = JSON.stringify(body);
}
