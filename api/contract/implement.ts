import { z } from 'zod';
import type { RouteDependencies } from '../api-dependencies.ts';
import { checkRequest } from './check-request.ts';
import type { Contract, Contracts } from './define-contracts.ts';
import type { Handler, Resource, Route } from './route.ts';

/** Binds every contract of a resource to its handler; one left out does not compile. @param handlersOf what they work with */
export function implement<C extends Contracts, Needs = RouteDependencies>(
  contracts: C,
  handlersOf: (needs: Needs) => { [Id in keyof NoInfer<C>]: Handler<NoInfer<C>[Id]> },
): Resource<Needs> {
  return {
    contracts,
    routes(needs) {
      const handlers = handlersOf(needs);
      const routes: Route[] = [];
      for (const id in contracts) routes.push(bind(id, contracts[id], handlers[id]));
      return routes;
    },
  };
}

function bind<C extends Contract>(operationId: string, contract: C, handle: Handler<C>): Route {
  return {
    operationId,
    contract,
    mayBeLarge: mayBeLarge(contract),
    check(raw) {
      const checked = checkRequest(contract, raw);
      return (surroundings) => handle({ ...checked, ...surroundings });
    },
  };
}

/** Reads of lists, and requests that may be larger than others. What records something and repeats a few of its parts is small. */
function mayBeLarge({ method, isQuery, request, responses }: Contract): boolean {
  if (request.body?.maxBytes !== undefined) return true;
  return (method === 'GET' || isQuery === true) && membersOf(responses[200]?.schema).some(isListOfObjects);
}

function membersOf(schema: unknown): unknown[] {
  if (schema instanceof z.ZodIntersection) return [schema.def.left, schema.def.right].flatMap(membersOf);
  return schema instanceof z.ZodObject ? Object.values(schema.shape) : [];
}

/** Lists of single words, such as scopes, are short. */
function isListOfObjects(schema: unknown): boolean {
  return schema instanceof z.ZodArray && membersOf(schema.element).length > 0;
}

/** What a handler returns; the status must be one that the contract names, the body the one it names for it. */
export function answer<const S extends number, B>(status: S, body: B, headers: Record<string, string> = {}) {
  return { status, body, headers };
}
