import { uuidv7 } from 'uuidv7';
import type { ApiContext, Next } from './request-state.ts';

/**
 * Gives every request an id of its own, which every answer carries: docs/errors.md#the-body. One that the caller sends is not
 * taken.
 */
export async function identifyRequest(ctx: ApiContext, next: Next): Promise<void> {
  Object.assign(ctx.state, { requestId: uuidv7(), route: 'unmatched', fields: [], key: null, caller: null });
  ctx.set('X-Request-Id', ctx.state.requestId);
  await next();
}
