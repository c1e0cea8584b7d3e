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

/** Whom and what the timeline names as the cause of a request's changes. */
export type RequestContext = CommandContext & { requestId: string };

/** What a handler is given beside what its contract describes. */
export interface HandlerContext {
  /** A HEAD request is handled like its GET; its answer needs no body. */
  isHead: boolean;
  context: RequestContext;
  /** Asks the database in a turn of the clinic's; not from within another `read` or `write`. */
  read: ClinicDatabase['read'];
  /** Runs a command in the request's one transaction, which with an `Idempotency-Key` keeps the answer too. */
  write: ClinicDatabase['write'];
  /** Answers the request in a batch, if it can; with an `Idempotency-Key` the transaction of the batch keeps the answer. */
  together: Together<Answer>;
  /** Notes who an answer shows: `shownTo`. */
  onShown: (patients: ShownPatients) => void;
}

/** A request that has passed every check of its contract. */
export type HandlerRequest<C extends Contract> = CheckedRequest<C> & HandlerContext;

/** One of the responses the contract names. */
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
  /** Whose unread bytes it counts as, where that is not the caller's clinic. */
  clinicId?: string;
}

/** A contract with what it does. */
export interface Route {
  operationId: string;
  contract: Contract;
  /** It may take much memory and processor time. */
  mayBeLarge: boolean;
  /** Checks a request and returns how it is handled. Errors: `malformed_request`, `validation_failed`. */
  check: (raw: RawRequest) => (surroundings: HandlerContext) => Promise<Answer>;
}

/** Contracts and what makes the routes of them. */
export interface Resource<Needs> {
  contracts: Contracts;
  routes: (needs: Needs) => Route[];
}
