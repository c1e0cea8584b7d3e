import type { z } from 'zod';
import type { Scope } from '../../domain/clinic/api-scopes.ts';
import type { ErrorCode } from '../../domain/error-codes.ts';
import { withIdempotencyKey } from './idempotency-key.ts';
import type { ResponseHeader } from './response-headers.ts';
import type { ShowsPatients } from './shown-patients.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** `public` needs no key and is not limited; a list names the scopes a key must all have, against whose limits it counts. */
type Access = 'public' | readonly Scope[];

/** What a route accepts. What is not named here is refused, except headers. */
export interface RequestContract {
  /** The `{names}` of the path. */
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
  /** 256 KiB unless told. */
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

/**
 * Everything there is to know about a route, except what it does. Wiring, validation, scope check, OpenAPI document and
 * generated tests are all made from it.
 */
export interface Contract {
  method: Method;
  /** With `{name}` for parameters, as in OpenAPI. */
  path: `/${string}`;
  tag: string;
  summary: string;
  description?: string;
  access: Access;
  /** A POST that changes nothing, so that repeating it needs no `Idempotency-Key`. */
  isQuery?: true;
  /** The answer opens something: only the key that asked gets it again by its `Idempotency-Key`. */
  showsSecret?: true;
  /** To a key without this scope the answer says less, so it is not repeated for one that has it, nor the other way round. */
  saysLessWithout?: Scope;
  /** Whom a good answer shows; absent: no patient. What changes an appointment stands in its timeline instead. */
  shows?: ShowsPatients;
  request: RequestContract;
  responses: Readonly<Record<number, ResponseContract>>;
  /** What the route itself may refuse with; codes that any route may answer are added by its access and request. */
  errors?: readonly ErrorCode[];
}

/** By operation id. */
export type Contracts = Readonly<Record<string, Contract>>;

/** @param tag the chapter of the document that they all stand in */
export function defineContracts<const C extends Readonly<Record<string, Omit<Contract, 'tag'>>>>(
  tag: string,
  contracts: C,
) {
  const entries = Object.entries(contracts).map(([id, contract]) => [
    id,
    withIdempotencyKey({ ...contract, tag }),
  ]);
  return Object.fromEntries(entries) as { [Id in keyof C]: C[Id] & Pick<Contract, 'tag'> };
}
