import { METHODS } from 'node:http';
import { Router } from '@koa/router';
import { ServiceError } from '../../../domain/service-error.ts';
import type { Route } from '../../contract/route.ts';
import type { ApiContext, RequestState } from '../request-state.ts';
import type { RunRoute } from '../run-route.ts';

/**
 * Finds a request's route. Unknown paths are a 404, other methods a 405 with `Allow`. A literal path such as
 * `/things/search` is never read as `/things/{id}`.
 */
export function findRoute(routes: readonly Route[], run: RunRoute) {
  const router = new Router<RequestState>({ strict: true, sensitive: true });
  for (const [path, group] of mostLiteralFirst(Map.groupBy(routes, ({ contract }) => contract.path))) {
    const others = group.flatMap(({ contract: { alsoAt } }) => alsoAt ?? []);
    const paths = [path, ...others].map((each) => each.replaceAll(/\{(\w+)\}/g, ':$1'));
    router.register(paths, METHODS, async (ctx) => {
      ctx.state.route = path;
      const route = routeFor(ctx.method, group);
      await run(route, ctx, ctx.params);
    });
  }
  const dispatch = router.routes();
  return async (ctx: ApiContext): Promise<void> => {
    await dispatch(ctx as Parameters<typeof dispatch>[0], () => {
      throw new ServiceError('not_found', 'This address does not exist. Check the path.');
    });
  };
}

function mostLiteralFirst(byPath: Map<string, Route[]>): [string, Route[]][] {
  const parameters = (path: string) => path.split('{').length;
  return [...byPath].sort(([a], [b]) => parameters(a) - parameters(b));
}

/** HEAD uses the route of GET. */
function routeFor(method: string, group: readonly Route[]): Route {
  const wanted = method === 'HEAD' ? 'GET' : method;
  const route = group.find(({ contract }) => contract.method === wanted);
  if (route) return route;
  const allowed = group.flatMap(({ contract: { method: own } }) => (own === 'GET' ? ['GET', 'HEAD'] : [own]));
  const methods = allowed.sort().join(', ');
  throw new ServiceError('method_not_allowed', `This address accepts only ${methods}.`, {
    headers: { Allow: methods },
  });
}
