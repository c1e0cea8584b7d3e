import type { Tracing } from '../../adapters/tracing/tracing.ts';
import type { ApiContext, Next } from './request-state.ts';

/**
 * A span for each request, in the caller's trace if it names one. The span names the route, never the requested path.
 */
export function traceRequests(tracing: Tracing) {
  return async (ctx: ApiContext, next: Next): Promise<void> => {
    const parent = ctx.get('traceparent') || null;
    const attributes = { 'http.request.method': ctx.method, 'clinic.request.id': ctx.state.requestId };
    await tracing.span({ name: ctx.method, kind: 'server', parent, attributes }, async (span) => {
      ctx.state.traceParent = span.traceParent;
      await next();
      const { route, caller } = ctx.state;
      span.rename(`${ctx.method} ${route}`);
      span.set({
        'http.route': route,
        'http.response.status_code': ctx.status,
        'clinic.id': caller?.tenantId,
      });
      if (ctx.status >= 500) span.fail(String(ctx.status));
    });
  };
}
