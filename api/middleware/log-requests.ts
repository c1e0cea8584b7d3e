import type { Logger } from '../../adapters/logger.ts';
import type { ApiContext, Next } from './request-state.ts';

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
