import type { z } from 'zod';
import type { CommandContext } from '../../commands/command-context.ts';
import type { Database } from '../../db/connection/open-database.ts';
import type { Caller } from './caller.ts';
import type { Contract, Contracts, StreamContract } from './define-contracts.ts';

type Output<S> = S extends z.ZodType ? z.output<S> : undefined;
type BodyOutput<B> = B extends { schema: infer S } ? Output<S> : undefined;
type ResponseBody<R> = R extends { schema: infer S extends z.ZodType }
  ? z.input<S>
  : R extends { bytes: string }
    ? AsyncIterable<Uint8Array> | undefined
    : undefined;

/** A body as it arrives: it can be read once. Ends with `malformed_request` when it breaks off. */
export interface StreamedBody {
  contentType: string;
  pieces: AsyncIterable<Uint8Array>;
}

/** Whom and what the timeline names as the cause of a request's changes. */
export type RequestContext = CommandContext & { requestId: string };

/** A request that has passed every check of its contract. */
export interface HandlerRequest<C extends Contract> {
  path: Output<C['request']['path']>;
  query: Output<C['request']['query']>;
  headers: Output<C['request']['headers']>;
  body: BodyOutput<C['request']['body']>;
  stream: C['request'] extends { stream: StreamContract } ? StreamedBody : undefined;
  /** A HEAD request is handled like its GET; its answer needs no body. */
  isHead: boolean;
  caller: C['access'] extends 'public' ? null : Caller;
  context: RequestContext;
  /** It bears an `Idempotency-Key`: all that it writes has to go through `write`, to commit together with its answer. */
  isRepeatable: boolean;
  /** Runs a command in the request's one transaction. */
  write: Database['write'];
}

/** One of the responses the contract names. */
type AnswerOf<C extends Contract> = {
  [S in keyof C['responses'] & number]: {
    status: S;
    body: ResponseBody<C['responses'][S]>;
    headers?: Record<string, string>;
  };
}[keyof C['responses'] & number];

export type Handler<C extends Contract> = (request: HandlerRequest<C>) => Promise<AnswerOf<C>>;

export interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** A contract with what it does. */
export interface Route {
  operationId: string;
  contract: Contract;
  handle: (request: HandlerRequest<Contract>) => Promise<Answer>;
}

/** Binds every contract of a resource to its handler; one left out does not compile. */
export function implement<C extends Contracts>(
  contracts: C,
  handlers: { [Id in keyof NoInfer<C>]: Handler<NoInfer<C>[Id]> },
): Route[] {
  return Object.entries(contracts).map(([operationId, contract]) => ({
    operationId,
    contract,
    handle: handlers[operationId] as unknown as Route['handle'],
  }));
}

/** What a handler returns; the status must be one that the contract names, the body the one it names for it. */
export function answer<const S extends number, B>(status: S, body: B, headers: Record<string, string> = {}) {
  return { status, body, headers };
}
