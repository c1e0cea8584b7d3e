import type { Database } from '../../db/open-database.ts';
import type { Caller } from '../contract/caller.ts';
import type { HandlerRequest, Route } from '../contract/implement.ts';
import type { Contract } from '../contract/define-contracts.ts';
import type { Authenticate } from './authenticate.ts';
import { readJsonBody } from './read-json-body.ts';
import { requireScopes } from './require-scopes.ts';
import type { ApiContext } from './request-state.ts';
import { sendAnswer } from './send-answer.ts';
import { validateRequest } from './validate-request.ts';

export interface RouteRunnerOptions {
  database: Database;
  authenticate: Authenticate;
  now: () => Date;
}

type Write = HandlerRequest<Contract>['write'];

export type RunRoute = (route: Route, ctx: ApiContext, path: Record<string, string>) => Promise<void>;

/** The life of a request that has found its route. The order is that of CONTRACT, "Order of refusals". */
export function createRouteRunner({ database, authenticate, now }: RouteRunnerOptions): RunRoute {
  return async ({ contract, handle }, ctx, path) => {
    const at = now();
    const { access, request } = contract;
    if (access !== 'public') {
      const caller = await authenticate(ctx.get('Authorization') || undefined, at);
      ctx.state.caller = caller;
      requireScopes(caller, access);
    }
    const body = request.body ? await readJsonBody(ctx.req) : undefined;
    const parsed = validateRequest(request, { path, query: ctx.query, headers: ctx.headers, body });
    const { caller, requestId } = ctx.state;
    const context = { actor: actorOf(caller), requestId, now: at };
    const write: Write = (work) => database.write(work);
    const checked = { ...parsed, caller, context, write } as unknown as HandlerRequest<Contract>;
    sendAnswer(ctx, await handle(checked));
  };
}

function actorOf(caller: Caller | null): string {
  return caller ? `key:${caller.keyId}` : 'anonymous';
}
