import { z } from 'zod';
import type { Scope } from '../../domain/clinic/api-scopes.ts';
import type { ErrorCode } from '../../domain/error-codes.ts';
import type { ShownPatients } from '../../domain/patient-read.ts';
import type { Caller } from './caller.ts';
import { id } from './fields.ts';
import { nullAsAbsent } from './null-as-absent.ts';
import type { ResponseHeader } from './response-headers.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** A path with `{name}` for parameters, as in OpenAPI. */
type Path = `/${string}`;

/** `public`: needs no key and has no rate limits. A list: the scopes that a key needs, all of them. */
type Access = 'public' | readonly Scope[];

/** What a route accepts. Everything else is refused, except headers. */
export interface RequestContract {
  /** The `{names}` in the path; `{id}` is implicit. */
  path?: z.ZodObject;
  query?: z.ZodObject;
  /** The headers by lower-case name. An invalid header is a 400, not a 422. */
  headers?: z.ZodObject;
  body?: BodyContract;
  /** A streamed body, instead of `body`. */
  stream?: StreamContract;
}

export interface BodyContract {
  schema: z.ZodObject;
  /**
   * Used instead of `schema` to read the body when the handler accepts or refuses each item of the list `items`
   * separately.
   */
  readAs?: z.ZodObject;
  /** 256 KiB by default. */
  maxBytes?: number;
  examples: Readonly<Record<string, unknown>>;
  /** A request without a body counts as `{}`. */
  isOptional?: true;
}

/** Bytes that are not JSON and too large for memory. */
export interface StreamContract {
  /** Media types as in OpenAPI, such as `audio/*`. */
  mediaTypes: readonly string[];
  maxBytes: number;
}

export interface ResponseContract {
  description: string;
  /** The schema of the JSON body. Without a schema, the response has no body. */
  schema?: z.ZodType;
  /** Media types of a streamed response, instead of `schema`. */
  bytes?: StreamContract['mediaTypes'];
  headers?: readonly ResponseHeader[];
  example?: unknown;
}

/** The patients that a response shows, for the access log: docs/operations/audit-log.md#access-log */
export type ShowsPatients = (body: unknown, asker: { caller: Caller | null; path: unknown }) => ShownPatients;

/**
 * Response fields that need a scope. A key without this scope gets the values that its own request contained, or else
 * these placeholder values.
 */
export interface Withheld {
  readScope: Scope;
  fields: Readonly<Record<string, '' | null>>;
}

/**
 * Describes a route except its handler. Routing, validation, scope checks, the OpenAPI document and generated tests are
 * derived from the contract.
 */
export interface Contract {
  method: Method;
  path: Path;
  /** The section of the OpenAPI document in which the route is listed. */
  tag: string;
  summary: string;
  description?: string;
  access: Access;
  /** Another path that clients use for it. */
  alsoAt?: Path;
  /**
   * The form of errors after the key was checked, where a protocol has its own; otherwise docs/errors.md#the-body.
   *
   * @param request the body as parsed; undefined when it could not be
   */
  errorForm?: (error: ErrorAnswer, request: unknown) => ErrorAnswer;
  /** A POST that changes nothing, so it needs no `Idempotency-Key`. */
  isQuery?: true;
  /** The handler reads the `Idempotency-Key` itself, because the key covers one call inside the request. */
  looksUpKey?: true;
  /** It waits for something to happen, so it holds no place of large responses; its own are short. */
  waits?: true;
  /** The response contains a secret: a repeat with the same `Idempotency-Key` returns it only to the same API key. */
  showsSecret?: true;
  /** Finds the patients that a success response shows. Absent if it shows none. */
  shows?: ShowsPatients;
  /** Response fields that need an additional scope. Absent if there are none. */
  withholds?: Withheld;
  request: RequestContract;
  responses: Readonly<Record<number, ResponseContract>>;
  /** The route's own error codes. Codes of access checks and request validation are added. */
  errors?: readonly ErrorCode[];
}

/** An error as `answering/translate-errors.ts` makes it. */
export interface ErrorAnswer {
  status: number;
  headers: Record<string, string> | undefined;
  body: object;
}

/** Contracts by operation ID. */
export type Contracts = Readonly<Record<string, Contract>>;

/** A contract as written in the code, with the request's parts at the top level. */
interface Definition extends Omit<Contract, 'method' | 'path' | 'tag' | 'request'>, RequestContract {
  operation: `${Method} ${Path}`;
}

/** A contract that keeps its literal types, so that the handler is typed exactly. */
interface Defined<D extends Definition> extends Contract {
  access: D['access'];
  request: Pick<D, keyof D & keyof RequestContract> & PathById<D>;
  responses: D['responses'];
}

type PathById<D extends Definition> = D extends { operation: `${string}/{id}${string}`; path?: undefined }
  ? { path: ReturnType<typeof byId> }
  : unknown;

function byId(what: string | null) {
  if (what === null)
    throw new Error('a path contains {id}, but the contract does not say what the ID belongs to');
  return z.strictObject({ id: id().describe(`The ID of the ${what}.`) });
}

/**
 * @param tag the section of all these contracts @param what the kind of thing that `{id}` in a path identifies; null if
 * no path has an `{id}` or each contract defines its own `path`
 */
export function defineContracts<const D extends Readonly<Record<string, Definition>>>(
  tag: string,
  what: string | null,
  definitions: D,
) {
  const entries = Object.entries(definitions).map(([name, each]) => [name, contractOf(each, tag, what)]);
  return Object.fromEntries(entries) as { [Id in keyof D]: Defined<D[Id]> };
}

/** Adds `not_found` for a path with an ID, so contracts need not list this code. */
function contractOf(
  { operation, path: parameters, query, headers, body, stream, errors = [], ...rest }: Definition,
  tag: string,
  what: string | null,
): Contract {
  const [method, path] = operation.split(' ') as [Method, Path];
  const namesId = path.includes('{id}');
  const names = parameters ?? (namesId ? byId(what) : undefined);
  const request = { path: names, query, headers, body: body && bodyOf(method, body), stream };
  const refusals = namesId ? ['not_found' as const, ...errors] : errors;
  return withIdempotencyKey({ ...rest, method, path, tag, request, errors: refusals });
}

/** In a PATCH, null clears a field. */
function bodyOf(method: Method, body: BodyContract): BodyContract {
  if (method === 'PATCH') return body;
  const { schema, readAs } = body;
  return { ...body, schema: nullAsAbsent(schema), ...(readAs && { readAs: nullAsAbsent(readAs) }) };
}

/** Whether a request may carry an `Idempotency-Key`: it changes something, and a repeat could change it twice. */
export function takesIdempotencyKey({ method, access, isQuery }: Contract): boolean {
  return (method === 'POST' || method === 'PATCH') && access !== 'public' && !isQuery;
}

/** Statuses with which a command refuses a request. After any other status, the same request may succeed later. */
const STORED_REFUSALS = new Set([404, 409, 412, 422]);

/** Whether a response with this status is stored for repeats of its request. */
export function isStoredAnswer(status: number): boolean {
  return status < 300 || STORED_REFUSALS.has(status);
}

/** Adds the `Idempotency-Key` header to contracts that accept it. */
function withIdempotencyKey(contract: Contract): Contract {
  if (!takesIdempotencyKey(contract)) return contract;
  const { request } = contract;
  const headers = (request.headers ?? z.object({})).extend({ 'idempotency-key': idempotencyKey });
  return { ...contract, request: { ...request, headers } };
}

/** docs/idempotency.md#the-key */
export const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters')
  .optional()
  .meta({
    description:
      'Makes the request safe to repeat for 24 hours: the same key and request return the first response again, with ' +
      '`Idempotency-Replayed: true`. A different request with the same key is refused. So use a new key, for example a random ' +
      'UUID, for each request.',
  });
