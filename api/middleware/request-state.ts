import { uuidv7 } from 'uuidv7';
import type { ParameterizedContext } from 'koa';
import type { BodyState } from '../../adapters/connections/send-bodies.ts';
import type { ErrorCode } from '../../domain/error-codes.ts';
import type { FieldProblem } from '../../domain/service-error.ts';
import type { Caller, KeyOfRequest } from '../contract/caller.ts';

/** What logs tell of the body of a JSON answer. */
export interface Told {
  error?: ErrorCode | undefined;
  errors?: readonly FieldProblem[] | undefined;
  id?: string | undefined;
  appointmentId?: string | null | undefined;
}

/** What the middleware of one request tell each other. */
export interface RequestState extends BodyState {
  /** UUIDv7. */
  requestId: string;
  /** W3C `traceparent`, when someone follows requests. */
  traceParent?: string;
  /** The path template of the route, or `unmatched`. */
  route: string;
  /** Which fields its body holds, by the names that the contract has. */
  fields: string[];
  told?: Told;
  /** A good one, also when its request is refused for its limits. */
  key: KeyOfRequest | null;
  caller: Caller | null;
}

export type ApiContext = ParameterizedContext<RequestState>;
export type Next = () => Promise<unknown>;

/**
 * Gives every request an id of its own, which every answer carries: docs/errors.md#the-body. One that the caller sends is not
 * taken.
 */
export async function identifyRequest(ctx: ApiContext, next: Next): Promise<void> {
  Object.assign(ctx.state, { requestId: uuidv7(), route: 'unmatched', fields: [], key: null, caller: null });
  ctx.set('X-Request-Id', ctx.state.requestId);
  await next();
}
