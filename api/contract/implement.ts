import { z } from 'zod';
import type { CommandContext } from '../../commands/command-context.ts';
import type { KeyedRequest as KeyedAnswer } from '../../commands/requests/perform-once.ts';
import type { ClinicDatabase } from '../../db/connection/open-database.ts';
import type { ShownPatients } from '../../domain/patient-read.ts';
import type { RouteDependencies } from '../api-dependencies.ts';
import { checkRequest, type CheckedRequest, type RawRequest } from './check-request.ts';
import type { Contract, Contracts } from './define-contracts.ts';

type ResponseBody<R> = R extends { schema: infer S extends z.ZodType }
  ? z.input<S>
  : R extends { bytes: readonly string[] }
    ? AsyncIterable<Uint8Array> | undefined
    : undefined;

/** Whom and what the timeline names as the cause of a request's changes. */
export type RequestContext = CommandContext & { requestId: string };

/** What a handler is given beside what its contract describes. */
export interface Surroundings {
  /** A HEAD request is handled like its GET; its answer needs no body. */
  isHead: boolean;
  context: RequestContext;
  /** Not null with an `Idempotency-Key`: then all that the request writes commits together with its answer, which `write` sees to. */
  keyed: KeyedRequest | null;
  /** Asks the database in a turn of the clinic's; not from within another `read` or `write`. */
  read: ClinicDatabase['read'];
  /** Runs a command in the request's one transaction. */
  write: ClinicDatabase['write'];
  /** Notes who an answer shows: `shownTo`. */
  onShown: (patients: ShownPatients) => void;
}

export type KeyedRequest = KeyedAnswer<Answer>;

/** A request that has passed every check of its contract. */
export type HandlerRequest<C extends Contract> = CheckedRequest<C> & Surroundings;

/** One of the responses the contract names. */
type AnswerOf<C extends Contract> = {
  [S in keyof C['responses'] & number]: {
    status: S;
    body: ResponseBody<C['responses'][S]>;
    headers?: Record<string, string>;
    isKept?: boolean;
    clinicId?: string;
  };
}[keyof C['responses'] & number];

export type Handler<C extends Contract> = (request: HandlerRequest<C>) => Promise<AnswerOf<C>>;

export interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
  /** The handler has committed it together with its work. */
  isKept?: boolean;
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
  check: (raw: RawRequest) => (surroundings: Surroundings) => Promise<Answer>;
}

/** Contracts and what makes the routes of them. */
export interface Resource<Needs> {
  contracts: Contracts;
  routes: (needs: Needs) => Route[];
}

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
