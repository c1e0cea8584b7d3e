import { Router } from '@koa/router';
import { ServiceError } from '../../domain/service-error.ts';
import type { Route } from '../contract/implement.ts';
import type { ApiContext, RequestState } from './request-state.ts';
import type { RunRoute } from './run-route.ts';

/** Leads a request to its route; what leads nowhere is a 404, a known path with another method a 405 with `Allow`. */
export function findRoute(routes: readonly Route[], run: RunRoute) {
  const router = new Router<RequestState>({ strict: true, sensitive: true });
  for (const route of routes) {
    const { method, path } = route.contract;
    router.register(path.replaceAll(/\{(\w+)\}/g, ':$1'), [method], async (ctx) => {
      ctx.state.route = path;
      await run(route, ctx, ctx.params);
    });
  }
  const dispatch = router.routes();
  return async (ctx: ApiContext): Promise<void> => {
    await dispatch(ctx as Parameters<typeof dispatch>[0], () => {
      throw nowhere(router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods));
    });
  };
}

function nowhere(allowed: readonly string[]): ServiceError {
  if (allowed.length === 0) return new ServiceError('not_found', 'There is nothing at this address.');
  const methods = [...new Set(allowed)].sort().join(', ');
  return new ServiceError('method_not_allowed', `This address takes ${methods}.`, {
    headers: { Allow: methods },
  });
}
