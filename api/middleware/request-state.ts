import type { DefaultState, ParameterizedContext } from 'koa';
import type { Caller, KeyOfRequest } from '../contract/caller.ts';

/** What the middleware of one request tell each other. */
export interface RequestState extends DefaultState {
  /** UUIDv7, by identify-request.ts. */
  requestId: string;
  /** W3C `traceparent`, when somebody follows requests. */
  traceParent?: string;
  /** The path template of the route, or `unmatched`. */
  route: string;
  /** Which fields its body holds, by the names that the contract has. */
  fields: string[];
  /** The body of a JSON answer. */
  answer: unknown;
  /** A good one, also when its request is refused for its limits. */
  key: KeyOfRequest | null;
  caller: Caller | null;
}

export type ApiContext = ParameterizedContext<RequestState>;
export type Next = () => Promise<unknown>;
