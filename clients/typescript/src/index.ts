import * as operations from './operations.ts';
import type { Error as Refusal, ReceivedEvent } from './operations.ts';
import { isGenuine } from './verify.mjs';

export * from './operations.ts';

export interface ClinicApiOptions {
  /** The address of the API, for example `https://api.example.com`. */
  url: string;
  apiKey: string;
  /** Sends the requests; `fetch` by default. */
  fetch?: typeof globalThis.fetch;
}

type Operations = typeof operations;

/** Every operation of the API. */
export type ClinicApi = {
  [
    Name in keyof Operations as `get${Capitalize<Name>}Url` extends keyof Operations ? Name : never
  ]: Operations[Name];
};

/** The API refused a request. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly status: number;
  /** The code in `error`, for example `slot_conflict`. */
  readonly code: string;
  /** The whole response body, for example with the `alternatives` of a conflict. */
  readonly body: Refusal;

  constructor(status: number, body: Refusal) {
    super(`${body.error}: ${body.message}`);
    this.status = status;
    this.code = body.error;
    this.body = body;
  }
}

/** The service, or a proxy in front of it, sent a response that is not from the API. */
export class UnexpectedResponseError extends Error {
  override readonly name = 'UnexpectedResponseError';
  readonly status: number;

  constructor(status: number) {
    super(`The response ${status} is not from the API. Check the URL, and repeat the request later.`);
    this.status = status;
  }
}

/** The delivery is not from the service, or it is too old. */
export class NotGenuineError extends Error {
  override readonly name = 'NotGenuineError';

  constructor() {
    super('The signature does not match. Respond with 400 and do not process the delivery.');
  }
}

/** Connects to the API. The `status` of a response decides the type of its `data`; `dataOf` returns that of a success. */
export function createClinicApi(options: ClinicApiOptions): ClinicApi {
  const send = sender(options);
  const known: Record<string, unknown> = { ...operations };
  const bound = Object.entries(known).filter(([name]) => `get${capitalized(name)}Url` in known);
  return Object.fromEntries(
    bound.map(([name, operation]) => [name, sentBy(operation as Operation, send)]),
  ) as unknown as ClinicApi;
}

/**
 * Returns the data of a successful response.
 * @throws RefusedError
 */
export function dataOf<Response extends { status: number; data: unknown }>(
  response: Response,
): Exclude<Response['data'], Refusal> {
  if (response.status >= 400) throw new RefusedError(response.status, response.data as Refusal);
  return response.data as Exclude<Response['data'], Refusal>;
}

/**
 * Verifies a delivery and returns its event.
 * @param signature the header `X-Service-Signature`
 * @param rawBody the body as it arrived
 * @throws NotGenuineError
 */
export function readEvent(
  signature: string | null | undefined,
  rawBody: Uint8Array,
  secret: string,
): ReceivedEvent {
  if (!isGenuine(signature, rawBody, secret)) throw new NotGenuineError();
  return JSON.parse(new TextDecoder().decode(rawBody)) as ReceivedEvent;
}

type Operation = (...args: unknown[]) => unknown;

/** Sets the last parameter of a generated operation, the function that sends its request. */
function sentBy(operation: Operation, send: typeof globalThis.fetch): Operation {
  return (...args) => {
    const filled = Array.from({ length: operation.length }, (_, at) => args[at]);
    filled[operation.length - 1] ??= send;
    return operation(...filled);
  };
}

function sender({ url, apiKey, fetch = globalThis.fetch }: ClinicApiOptions): typeof globalThis.fetch {
  const base = url.replace(/\/$/, '');
  return async (path, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set('Authorization', `Bearer ${apiKey}`);
    const response = await fetch(`${base}${String(path)}`, { ...init, headers });
    const isOfApi = response.headers.has('x-request-id');
    if (!response.ok && !isOfApi) throw new UnexpectedResponseError(response.status);
    return response;
  };
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
