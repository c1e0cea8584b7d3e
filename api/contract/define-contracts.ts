import { z } from 'zod';
import type { Scope } from '../../domain/clinic/api-scopes.ts';
import type { ErrorCode } from '../../domain/error-codes.ts';
import type { ShownPatients } from '../../domain/patient-read.ts';
import type { Caller } from './caller.ts';
import { id } from './fields.ts';
import { nullAsAbsent } from './null-as-absent.ts';
import type { ResponseHeader } from './response-headers.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** With `{name}` for parameters, as in OpenAPI. */
type Path = `/${string}`;

/** `public` needs no key and is not limited; a list names the scopes a key must all have, against whose limits it counts. */
type Access = 'public' | readonly Scope[];

/** What a route accepts. What is not named here is refused, except headers. */
export interface RequestContract {
  /** The `{names}` of the path; an `{id}` need not be said. */
  path?: z.ZodObject;
  query?: z.ZodObject;
  /** By lower-case name. A header that does not fit is a 400, not a 422. */
  headers?: z.ZodObject;
  body?: BodyContract;
  /** A body that is handed over as it arrives, in place of `body`. */
  stream?: StreamContract;
}

export interface BodyContract {
  schema: z.ZodObject;
  /**
   * What is read in place of `schema` where the handler checks the members of the list `items` one by one, each of which
   * is taken or refused by itself.
   */
  readAs?: z.ZodObject;
  /** 256 KiB by default. */
  maxBytes?: number;
  examples: Readonly<Record<string, unknown>>;
  /** No body at all counts as `{}`. */
  isOptional?: true;
}

/** Bytes that are not JSON and too many to hold in memory. */
export interface StreamContract {
  /** As in OpenAPI: types, or a type with any subtype. */
  mediaTypes: readonly string[];
  maxBytes: number;
}

export interface ResponseContract {
  description: string;
  /** JSON body; without it the answer has none. */
  schema?: z.ZodType;
  /** Media types of an answer that is streamed, in place of `schema`. */
  bytes?: StreamContract['mediaTypes'];
  headers?: readonly ResponseHeader[];
  example?: unknown;
}

/** Who an answer's body shows, for the log of who read what: docs/operations/audit-log.md#access-log */
export type ShowsPatients = (body: unknown, asker: { caller: Caller | null; path: unknown }) => ShownPatients;

/** Fields of an answer that only a key with the scope reads: another gets what its own request said, and else what is here. */
export interface Withheld {
  readScope: Scope;
  fields: Readonly<Record<string, '' | null>>;
}

/**
 * Everything there is to know about a route, except what it does. Wiring, validation, scope check, OpenAPI document and
 * generated tests are all made from it.
 */
export interface Contract {
  method: Method;
  path: Path;
  /** The chapter of the document that it stands in. */
  tag: string;
  summary: string;
  description?: string;
  access: Access;
  /** A POST that changes nothing, so that repeating it needs no `Idempotency-Key`. */
  isQuery?: true;
  /** The handler looks up the `Idempotency-Key` itself, because the key covers one call inside the request. */
  looksUpKey?: true;
  /** The answer opens something: only the key that asked gets it again by its `Idempotency-Key`. */
  showsSecret?: true;
  /** Who a good answer shows; absent: no patient. */
  shows?: ShowsPatients;
  /** What a good answer holds for keys with another scope alone; absent: nothing. */
  withholds?: Withheld;
  request: RequestContract;
  responses: Readonly<Record<number, ResponseContract>>;
  /** What the route itself may refuse with; codes that any route may answer are added by its access and request. */
  errors?: readonly ErrorCode[];
}

/** By operation id. */
export type Contracts = Readonly<Record<string, Contract>>;

/** A contract as it is written down: what its request holds stands beside all else. */
interface Definition extends Omit<Contract, 'method' | 'path' | 'tag' | 'request'>, RequestContract {
  operation: `${Method} ${Path}`;
}

/** What a handler is typed by is known to the letter. */
interface Defined<D extends Definition> extends Contract {
  access: D['access'];
  request: Pick<D, keyof D & keyof RequestContract> & PathById<D>;
  responses: D['responses'];
}

type PathById<D extends Definition> = D extends { operation: `${string}/{id}${string}`; path?: undefined }
  ? { path: ReturnType<typeof byId> }
  : unknown;

function byId(what: string | null) {
  if (what === null) throw new Error('a path has an {id}, and no one says of what');
  return z.strictObject({ id: id().describe(`The ID of the ${what}.`) });
}

/**
 * @param tag of all of them
 * @param what the `{id}` of a path names; null: none has one, or each says its own `path`
 */
export function defineContracts<const D extends Readonly<Record<string, Definition>>>(
  tag: string,
  what: string | null,
  definitions: D,
) {
  const entries = Object.entries(definitions).map(([name, each]) => [name, contractOf(each, tag, what)]);
  return Object.fromEntries(entries) as { [Id in keyof D]: Defined<D[Id]> };
}

/** What a path names by its id may be missing: that refusal is not written down. */
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

/** In a PATCH null clears. */
function bodyOf(method: Method, body: BodyContract): BodyContract {
  if (method === 'PATCH') return body;
  const { schema, readAs } = body;
  return { ...body, schema: nullAsAbsent(schema), ...(readAs && { readAs: nullAsAbsent(readAs) }) };
}

/** Whether a request may carry an `Idempotency-Key`: it changes something, and repeated it might change it twice. */
export function takesIdempotencyKey({ method, access, isQuery }: Contract): boolean {
  return (method === 'POST' || method === 'PATCH') && access !== 'public' && !isQuery;
}

/** The refusals that a command decides on; all others say that the same request may fare better later. */
const STORED_REFUSALS = new Set([404, 409, 412, 422]);

/** Whether an answer with this status is kept for the twins of its request. */
export function isStoredAnswer(status: number): boolean {
  return status < 300 || STORED_REFUSALS.has(status);
}

/** The contract with the `Idempotency-Key` header, when it may carry one. */
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
      '`Idempotency-Replayed: true`. A different request with the same key is refused, so use a new key, for example a random ' +
      'UUID, for each.',
  });
