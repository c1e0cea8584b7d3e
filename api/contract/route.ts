import type { z } from 'zod';
import type { CommandContext } from '../../commands/command-context.ts';
import type { ClinicDatabase } from '../../db/connection/open-database.ts';
import type { Together } from '../../commands/requests/batch-requests.ts';
import type { ShownPatients } from '../../domain/patient-read.ts';
import type { CheckedRequest, RawRequest } from './check-request.ts';
import type { Contract, Contracts } from './define-contracts.ts';

type ResponseBody<R> = R extends { schema: infer S extends z.ZodType }
  ? z.input<S>
  : R extends { bytes: readonly string[] }
    ? AsyncIterable<Uint8Array> | undefined
    : undefined;

/** The actor and request that the timeline names as the cause of a change. */
export type RequestContext = CommandContext & { requestId: string };

/** What a handler gets in addition to its checked request. */
export interface HandlerContext {
  /** Whether the request is a HEAD, which is handled like a GET without a response body. */
  isHead: boolean;
  context: RequestContext;
  /** Reads from the database within the clinic's limits; do not nest in another `read` or `write`. */
  read: ClinicDatabase['read'];
  /** Runs a command in the request's only transaction. With an `Idempotency-Key` it also stores the response. */
  write: ClinicDatabase['write'];
  /**
   * Processes the request in a batch with others if possible. With an `Idempotency-Key`, the batch's transaction stores
   * the response.
   */
  together: Together<Answer>;
  /** Records which patients a response shows: see `shownTo`. */
  onShown: (patients: ShownPatients) => void;
}

/** A request that matches its contract. */
export type HandlerRequest<C extends Contract> = CheckedRequest<C> & HandlerContext;

/** One of the contract's responses. */
type AnswerOf<C extends Contract> = {
  [S in keyof C['responses'] & number]: {
    status: S;
    body: ResponseBody<C['responses'][S]>;
    headers?: Record<string, string>;
    clinicId?: string;
  };
}[keyof C['responses'] & number];

export type Handler<C extends Contract> = (request: HandlerRequest<C>) => Promise<AnswerOf<C>>;

export interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
  /** The clinic to which the unread response bytes are counted, if it is not the caller's clinic. */
  clinicId?: string;
}

/** A contract with its handler. */
export interface Route {
  operationId: string;
  contract: Contract;
  /** Whether the route may need much memory and CPU. */
  mayBeLarge: boolean;
  /** Checks a request and returns its handler. Errors: `malformed_request`, `validation_failed`. */
  check: (raw: RawRequest) => (surroundings: HandlerContext) => Promise<Answer>;
}

/** Contracts and the function that turns them into routes. */
export interface Resource<Needs> {
  contracts: Contracts;
  routes: (needs: Needs) => Route[];
}
