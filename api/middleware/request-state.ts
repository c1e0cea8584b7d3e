import { uuidv7 } from 'uuidv7';
import type { ParameterizedContext } from 'koa';
import type { BodyState } from '../../adapters/connections/send-bodies.ts';
import type { ErrorCode } from '../../domain/error-codes.ts';
import type { FieldProblem } from '../../domain/service-error.ts';
import type { Caller, KeyOfRequest } from '../contract/caller.ts';
import type { ErrorAnswer } from '../contract/define-contracts.ts';

/** What the log may contain of a JSON response. */
export interface Told {
  error?: ErrorCode | undefined;
  errors?: readonly FieldProblem[] | undefined;
  id?: string | undefined;
  appointmentId?: string | null | undefined;
}

/** The state that the middleware functions of one request share. */
export interface RequestState extends BodyState {
  /** UUIDv7. */
  requestId: string;
  /** W3C `traceparent`, when tracing is on. */
  traceParent?: string;
  /** The path template of the route, or `unmatched`. */
  route: string;
  /** The known fields in the body. */
  fields: string[];
  told?: Told;
  /** Converts the errors of the route, when they have their own form. */
  errorForm?: (error: ErrorAnswer) => ErrorAnswer;
  /** The valid key, even if the request exceeds its limits; null without a valid key. */
  key: KeyOfRequest | null;
  caller: Caller | null;
}

export type ApiContext = ParameterizedContext<RequestState>;
export type Next = () => Promise<unknown>;

/**
 * Gives every request its own id, which every response contains: docs/errors.md#the-body. An id from the caller is
 * ignored.
 */
export async function identifyRequest(ctx: ApiContext, next: Next): Promise<void> {
  Object.assign(ctx.state, { requestId: uuidv7(), route: 'unmatched', fields: [], key: null, caller: null });
  ctx.set('X-Request-Id', ctx.state.requestId);
  await next();
}
