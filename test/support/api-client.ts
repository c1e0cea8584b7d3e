import type { z } from 'zod';
import { appointmentSchema } from '../../api/appointments/contract.ts';
import { errorBodySchema } from '../../api/contract/error-body.ts';
import { pageOf } from '../../api/contract/answers.ts';
import { checkAgainstDocument } from './openapi-check.ts';

type Appointment = z.output<typeof appointmentSchema>;

const page = pageOf(appointmentSchema, 'AppointmentsOfTest');

export interface ApiRequest {
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged instead of `body`. */
  rawBody?: string | Uint8Array<ArrayBuffer> | ReadableStream;
  query?: Record<string, string>;
  headers?: Record<string, string>;
}

export interface ApiAnswer {
  status: number;
  headers: Headers;
  /** Parsed; undefined when the answer has no body. */
  body: Record<string, unknown>;
  text: string;
}

export interface ApiClient {
  send(method: string, path: string, request?: ApiRequest): Promise<ApiAnswer>;
  get(path: string, query?: Record<string, string>): Promise<ApiAnswer>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<ApiAnswer>;
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<ApiAnswer>;
  delete(path: string, headers?: Record<string, string>): Promise<ApiAnswer>;
}

/** Calls the API like a PMS; every response must be allowed by the OpenAPI document, if it is checked. */
export function createApiClient(
  baseUrl: string,
  key: string | null,
  { isChecked = true }: { isChecked?: boolean } = {},
): ApiClient {
  async function send(method: string, path: string, request: ApiRequest = {}): Promise<ApiAnswer> {
    const url = new URL(baseUrl + path);
    for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value);
    const response = await fetch(url, { method, ...bodyOf(request), headers: headersOf(key, request) });
    const text = await response.text();
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    const { status, headers } = response;
    if (isChecked) checkAgainstDocument({ method, path: url.pathname, status, headers, body });
    return { status, headers, body: body as ApiAnswer['body'], text };
  }
  return {
    send,
    get: (path, query = {}) => send('GET', path, { query }),
    post: (path, body, headers = {}) => send('POST', path, { body, headers }),
    patch: (path, body, headers = {}) => send('PATCH', path, { body, headers }),
    delete: (path, headers = {}) => send('DELETE', path, { headers }),
  };
}

function bodyOf({ body, rawBody }: ApiRequest): RequestInit {
  if (rawBody !== undefined) return { body: rawBody, duplex: 'half' };
  return body === undefined ? {} : { body: JSON.stringify(body) };
}

function headersOf(key: string | null, { body, rawBody, headers }: ApiRequest): Record<string, string> {
  return {
    ...(key !== null && { authorization: `Bearer ${key}` }),
    ...((body !== undefined || rawBody !== undefined) && { 'content-type': 'application/json' }),
    ...headers,
  };
}

export function appointmentIn({ body }: ApiAnswer): Appointment {
  return appointmentSchema.parse(body);
}

export function appointmentsIn({ body }: ApiAnswer): Appointment[] {
  return page.parse(body).items;
}

/** Every page of a list, in order. @throws when one is refused */
export async function everyPage(client: ApiClient, path: string): Promise<ApiAnswer[]> {
  const pages: ApiAnswer[] = [];
  let cursor: string | null = null;
  do {
    const answer: ApiAnswer = await client.get(path, cursor === null ? {} : { cursor });
    if (answer.status !== 200) throw new Error(`${path} was refused: ${answer.text}`);
    pages.push(answer);
    cursor = answer.body['nextCursor'] as string | null;
  } while (cursor !== null);
  return pages;
}

export function nextCursorIn({ body }: ApiAnswer): string | null {
  return page.parse(body).nextCursor;
}

/** The paths of the invalid fields in an error. */
export function wrongPathsIn({ body }: ApiAnswer): string[] {
  return (errorBodySchema.parse(body).errors ?? []).map(({ path }) => path);
}

/** Repeats a request that an overloaded machine answers with 503, like a client. */
export async function untilAnswered(ask: () => Promise<ApiAnswer>): Promise<ApiAnswer> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 503) return answer;
  }
}
