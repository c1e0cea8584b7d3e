import type { Socket } from 'node:net';
import { Agent, type Dispatcher } from 'undici';
import type { ErrorClass } from '../../domain/webhooks/attempt-error.ts';
import type { TlsFault } from '../../domain/webhooks/tls-fault.ts';
import { createAddressGuard, type AddressGuard } from './address-guard.ts';
import {
  AttemptFailure,
  exchangeErrorClass,
  isOurFault,
  AttemptNotBegun,
  tlsFaultIn,
} from './attempt-failure.ts';
import { createGuardedConnector } from './guarded-connector.ts';
import { dispatchWith } from './request-connection.ts';
import { createNameResolver, type ResolveName } from './resolve-name.ts';
import { createTrust } from './trusted-roots.ts';
import { readWebhookUrl } from './webhook-url.ts';
import { afterRunning } from '../timing/after-running.ts';

/** docs/webhooks.md#answer-fast */
const DEADLINE_MS = 10_000;
const MAX_HEADER_BYTES = 16 * 1024;
/** The lifetime of a connection; after it the name is resolved and the certificate verified again. */
const CONNECTION_LIFE_MS = 60_000;

export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Whether the request may start, asked when a connection is ready and nothing has been sent. True by default. */
  mayBegin?: () => boolean;
}

/** The outcome of one attempt; an HTTP error is a result, not an exception. */
export interface AttemptOutcome {
  outcome: 'succeeded' | 'failed';
  errorClass: ErrorClass | null;
  /** Null without complete response headers. */
  responseStatus: number | null;
  /** At most 16 KiB of UTF-8 without NUL; null without a status. */
  responseExcerpt: string | null;
  /** What was wrong with TLS; only with `tls_error`, if known. */
  tlsFault: TlsFault | null;
  durationMs: number;
}

export type WebhookClient = ReturnType<typeof createWebhookClient>;

export interface WebhookClientOptions {
  /** WEBHOOK_ALLOWED_CIDRS */
  allowedCidrs: readonly string[];
  /** The certificates of WEBHOOK_CA_FILE, trusted in addition to Node's roots. */
  extraCaPem?: string | undefined;
  deadlineMs?: number;
  resolve?: ResolveName;
}

/** The HTTP client for all webhooks. It knows nothing about deliveries. */
export function createWebhookClient(options: WebhookClientOptions) {
  const { allowedCidrs, extraCaPem, deadlineMs = DEADLINE_MS, resolve = createNameResolver() } = options;
  const guard = createAddressGuard(allowedCidrs);
  const trust = createTrust(extraCaPem);
  // One deadline covers the whole attempt, so the client's own timeouts are off. No redirects, no decompression.
  const connection = {
    connect: createGuardedConnector({ guard, resolve, trust, timeoutMs: deadlineMs }),
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    clientTtl: CONNECTION_LIFE_MS,
  };
  const agents: Agents = {
    keepAlive: new Agent({ ...connection, keepAliveMaxTimeout: CONNECTION_LIFE_MS }),
    newConnection: new Agent({ ...connection, pipelining: 0 }),
  };
  return {
    /** @throws AttemptNotBegun, and errors that are our own fault: no sockets, a closed client, invalid headers */
    async post(request: WebhookRequest): Promise<AttemptOutcome> {
      const start = performance.now();
      const result = await attempt(request, { agents, guard, deadlineMs });
      return { ...result, durationMs: Math.round(performance.now() - start) };
    },
    /** Closes all connections; running attempts throw. */
    async close() {
      await Promise.all([agents.keepAlive.destroy(), agents.newConnection.destroy()]);
    },
  };
}

interface Agents {
  keepAlive: Agent;
  /** A new connection for each request. */
  newConnection: Agent;
}

type Result = Omit<AttemptOutcome, 'durationMs'>;

async function attempt(
  request: WebhookRequest,
  how: { agents: Agents; guard: AddressGuard; deadlineMs: number },
): Promise<Result> {
  try {
    const reading = readWebhookUrl(request.url, how.guard);
    if (!reading.ok) throw new AttemptFailure('blocked_address', reading.message);
    return answered(await exchange(reading.url, request, how));
  } catch (error) {
    if (isOurFault(error)) throw error;
    return failed(error);
  }
}

function answered({ status, excerpt }: Answer): Result {
  const errorClass = statusErrorClass(status);
  const outcome = errorClass === null ? 'succeeded' : 'failed';
  return { outcome, errorClass, responseStatus: status, responseExcerpt: excerpt, tlsFault: null };
}

function failed(error: unknown): Result {
  const errorClass = exchangeErrorClass(error);
  const tlsFault = errorClass === 'tls_error' ? tlsFaultIn(error) : null;
  return { outcome: 'failed', errorClass, responseStatus: null, responseExcerpt: null, tlsFault };
}

function statusErrorClass(status: number): ErrorClass | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return 'redirect';
  if (status >= 400 && status < 500) return 'http_4xx';
  return status >= 500 && status < 600 ? 'http_5xx' : 'invalid_response';
}

interface Answer {
  status: number;
  excerpt: string;
}

/**
 * One POST under one deadline (`webhook-client.ts`) for DNS, connect, TLS and headers. After the headers nothing can
 * fail: the body is read until the excerpt is full, the body ends or breaks, or the deadline. If a reused connection
 * closes before the first response byte, the request is sent again at once on a new connection, because receivers close
 * idle connections while a request is on its way. A receiver recognises the repeat by its `Idempotency-Key`, as RFC
 * 9110 (section 9.2.2) requires.
 * @throws AttemptNotBegun, AttemptFailure and the HTTP client's errors without complete response headers
 */
async function exchange(
  url: URL,
  { headers, body, mayBegin = () => true }: Omit<WebhookRequest, 'url'>,
  { agents, deadlineMs }: { agents: Agents; deadlineMs: number },
): Promise<Answer> {
  let reader = new AnswerReader(mayBegin);
  const cancel = afterRunning(deadlineMs, () => reader.stop());
  const send = (agent: Agent) => {
    const request = {
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST',
      headers,
      body,
    } as const;
    dispatchWith(
      (socket) => reader.sentOn(socket),
      () => agent.dispatch(request, reader),
    );
    return reader.answered.promise;
  };
  try {
    return await send(agents.keepAlive).catch(async (lost: unknown) => {
      if (!reader.foundConnectionClosed(lost)) throw lost;
      reader = new AnswerReader(mayBegin);
      return send(agents.newConnection).catch((error: unknown) => {
        throw error instanceof AttemptNotBegun ? lost : error;
      });
    });
  } finally {
    cancel();
  }
}

/** Connections that have carried a request. */
const used = new WeakSet<Socket>();

class AnswerReader implements Dispatcher.DispatchHandler {
  readonly answered = Promise.withResolvers<Answer>();
  readonly #excerpt = new ResponseExcerpt();
  #status: number | null = null;
  #controller: Dispatcher.DispatchController | null = null;
  #isOver = false;
  readonly #mayBegin: () => boolean;
  #connection: { socket: Socket; wasUsed: boolean; bytesRead: number } | null = null;

  constructor(mayBegin: () => boolean) {
    this.#mayBegin = mayBegin;
  }

  sentOn(socket: Socket): void {
    this.#connection = { socket, wasUsed: used.has(socket), bytesRead: socket.bytesRead };
    used.add(socket);
  }

  /** Whether the request used an existing connection that was closed before the first response byte. */
  foundConnectionClosed(error: unknown): boolean {
    if (!this.#connection?.wasUsed || isOurFault(error)) return false;
    const isUnanswered = this.#connection.socket.bytesRead === this.#connection.bytesRead;
    return isUnanswered && exchangeErrorClass(error) === 'connection_lost';
  }

  /** Ends the exchange at the deadline with what has arrived. */
  stop(): void {
    const failure = this.#controller
      ? new AttemptFailure('deadline_exceeded', 'The receiver did not respond in time')
      : new AttemptFailure('connect_timeout', 'The connection was not made in time');
    this.#end(failure);
    this.#controller?.abort(failure);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // A connection that becomes ready after the deadline must not carry the failed attempt's request.
    if (this.#isOver)
      controller.abort(new AttemptFailure('connect_timeout', 'The connection was made too late'));
    else if (!this.#mayBegin()) controller.abort(new AttemptNotBegun('The connection was made too late'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    const isInformational = status >= 100 && status < 200;
    if (!isInformational) this.#status = status;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#excerpt.add(chunk);
    if (!this.#excerpt.isFull()) return;
    this.#end();
    controller.abort(new AttemptFailure('connection_lost', 'The response body is read no further'));
  }

  onResponseEnd(): void {
    // The client frees the connection in the next tick; afterwards the next request can use it.
    setImmediate(() => setImmediate(() => this.#end()));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end(error);
  }

  /** The status line decides: a later error changes nothing. */
  #end(error?: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#status !== null) this.answered.resolve({ status: this.#status, excerpt: this.#excerpt.text() });
    else this.answered.reject(error ?? new AttemptFailure('invalid_response', 'The response has no status'));
  }
}

/** How much of a response is read and stored. */
export const EXCERPT_BYTES = 16 * 1024;

/** The start of a response body, in constant memory. */
export class ResponseExcerpt {
  readonly #kept = Buffer.alloc(EXCERPT_BYTES);
  #length = 0;

  add(chunk: Uint8Array): void {
    const part = chunk.subarray(0, EXCERPT_BYTES - this.#length);
    this.#kept.set(part, this.#length);
    this.#length += part.length;
  }

  isFull(): boolean {
    return this.#length === EXCERPT_BYTES;
  }

  /** Valid UTF-8 without NUL, as PostgreSQL requires, at most EXCERPT_BYTES long. */
  text(): string {
    return storableText(this.#kept.subarray(0, this.#length));
  }
}

function storableText(bytes: Uint8Array): string {
  const text = decodePrefix(bytes).replaceAll('\0', '\u{FFFD}');
  // An invalid byte becomes a three-byte replacement character, so the text may be longer than the input.
  return decodePrefix(Buffer.from(text).subarray(0, EXCERPT_BYTES));
}

/** `stream` drops a character that was cut in the middle. */
function decodePrefix(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
}
