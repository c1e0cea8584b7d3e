import { z } from 'zod';
import type { RouteDependencies } from '../api-dependencies.ts';
import { checkRequest } from './check-request.ts';
import type { Contract, Contracts } from './define-contracts.ts';
import type { Handler, Resource, Route } from './route.ts';

/**
 * Connects every contract of a resource with its handler; a missing handler does not compile. @param handlersOf creates
 * the handlers from the dependencies
 */
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

/** Whether a route can need much memory: lists, and requests with larger bodies. */
function mayBeLarge({ method, isQuery, waits, request, responses }: Contract): boolean {
  if (waits) return false;
  if (request.body?.maxBytes !== undefined) return true;
  return (method === 'GET' || isQuery === true) && membersOf(responses[200]?.schema).some(isListOfObjects);
}

function membersOf(schema: unknown): unknown[] {
  if (schema instanceof z.ZodIntersection) return [schema.def.left, schema.def.right].flatMap(membersOf);
  return schema instanceof z.ZodObject ? Object.values(schema.shape) : [];
}

/**
 * Whether a schema is a list of objects. Lists of words, such as scopes, are
 * short.
 */
function isListOfObjects(schema: unknown): boolean {
  return schema instanceof z.ZodArray && membersOf(schema.element).length > 0;
}

/** Builds a handler's answer; status and body must match the contract. */
export function answer<const S extends number, B>(status: S, body: B, headers: Record<string, string> = {}) {
  return { status, body, headers };
}
