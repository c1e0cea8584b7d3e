import { uuidv7 } from 'uuidv7';
import type { Logger } from '../../adapters/logger.ts';
import type { ApiContext, Next } from './request-state.ts';

/** Gives every request its id, which every answer carries: docs/errors.md#the-body */
export async function identifyRequest(ctx: ApiContext, next: Next): Promise<void> {
  Object.assign(ctx.state, { requestId: uuidv7(), route: null, caller: null });
  ctx.set('X-Request-Id', ctx.state.requestId);
  await next();
}

/** One line a request when its connection is done with it: no body, no query, no path that a caller made up. */
export function logRequests(logger: Logger) {
  return async (ctx: ApiContext, next: Next): Promise<void> => {
    const startedAt = performance.now();
    ctx.res.once('close', () => {
      const { requestId, route, caller } = ctx.state;
      logger.info(
        {
          requestId,
          method: ctx.method,
          route,
          status: ctx.res.statusCode,
          durationMs: Math.round(performance.now() - startedAt),
          tenantId: caller?.tenantId ?? null,
          keyId: caller?.keyId ?? null,
          ...(!ctx.res.writableFinished && { aborted: true }),
        },
        'request.completed',
      );
    });
    await next();
  };
}
