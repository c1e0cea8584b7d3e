import { once } from 'node:events';
import { createServer, STATUS_CODES } from 'node:http';
import type { Server, ServerOptions, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import { uuidv7 } from 'uuidv7';
import { namesOneHost } from '../adapters/connections/host-header.ts';
import { limitConnections, type PlaceLimits } from '../adapters/connections/connection-places.ts';
import { errorCode } from '../adapters/error-code.ts';
import { InFlight } from '../adapters/process/in-flight.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { RequestState } from './middleware/request-state.ts';
import { errorAnswer, temporarilyUnavailable } from './middleware/answering/translate-errors.ts';
import { RECORDING_DEADLINE_MS } from './middleware/reading/open-body-stream.ts';

/**
 * How long open requests may continue when the server closes, and the same time again for requests whose clients have
 * disconnected.
 */
const DRAIN_MS = 10_000;

/**
 * Longer than proxies keep idle connections (usually 60 s): if we closed first, a request already on its way would be
 * lost.
 */
const KEEP_ALIVE_MS = 72_000;

/** For request headers, and for connections that are opened before their first request. */
const HEADERS_DEADLINE_MS = 75_000;

/** Node's own limit, as a safety net. Bodies have their own, shorter deadlines. */
const MAX_REQUEST_MS = RECORDING_DEADLINE_MS + 60_000;

/** How long a refused client may take to read the response and close the connection. */
const LINGER_MS = 2000;

/** docs/limits.md#connections */
const MOST = { most: 5000, mostOfAnAddress: 1000 };
const MAX_BEHIND_PROXY = { most: 5000, mostOfAnAddress: 5000 };

const TIMES: ServerOptions = {
  keepAliveTimeout: KEEP_ALIVE_MS,
  headersTimeout: HEADERS_DEADLINE_MS,
  requestTimeout: MAX_REQUEST_MS,
  connectionsCheckingInterval: 5000,
};

/** Our messages for requests that Node could not read. Node's own messages would repeat the input. */
const UNREADABLE: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The address and headers of the request are larger than 16 KiB.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
};

const TOO_MANY = 'The service has too many connections. Try again shortly.';

export interface RunningServer extends AsyncDisposable {
  /** Without a trailing slash. */
  url: string;
}

export interface ListenOptions {
  host: string;
  port: number;
  /** Whether all connections come from a proxy. */
  isBehindProxy?: boolean;
  most?: Pick<PlaceLimits, 'most' | 'mostOfAnAddress'>;
  /** Aborts when the process is about to stop: connections then close after their next response. */
  leaving?: AbortSignal;
}

/**
 * Starts to listen. Disposing stops it, lets open requests finish (also those whose client disconnected), and cuts off
 * what takes too long.
 */
export async function startServer(app: Koa<RequestState>, options: ListenOptions): Promise<RunningServer> {
  const {
    host,
    port,
    isBehindProxy = false,
    most = isBehindProxy ? MAX_BEHIND_PROXY : MOST,
    leaving,
  } = options;
  const handle = app.callback();
  const inFlight = new InFlight();
  const answering = new WeakMap<Duplex, ServerResponse>();
  const server = createServer({ ...TIMES, requireHostHeader: false });
  const isOneTooMany = tellThoseTooMany(server, { ...most, countsIdle: false });
  server.on('request', (request, response) => {
    answering.set(request.socket, response);
    if (leaving?.aborted) response.setHeader('Connection', 'close');
    endConnectionWhenClosing(server, response);
    if (isOneTooMany(request.socket)) refuse(request.socket, temporarilyUnavailable(TOO_MANY));
    else if (!namesOneHost(request)) refuse(request.socket, unreadable('Send exactly one Host header.'));
    else inFlight.add(handle(request, response));
  });
  // An unknown expectation may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (error, socket) => {
    // Bytes that are no request must not be answered in the middle of another response.
    const answer = answering.get(socket);
    if (answer?.headersSent && !answer.writableFinished) socket.destroy();
    else refuse(socket, unreadable(UNREADABLE[errorCode(error)] ?? 'This is not a valid HTTP request.'));
  });
  await once(server.listen({ host, port }), 'listening');
  const { address, family, port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`,
    [Symbol.asyncDispose]: () => drain(server, inFlight),
  };
}

/**
 * Returns whether a connection exceeds the limit; its first request then gets 503. A tenth more connections are
 * accepted for this; above that, the connection that has waited longest is closed.
 */
function tellThoseTooMany(server: Server, places: PlaceLimits): (socket: Duplex) => boolean {
  const tooMany = new Set<Duplex>();
  limitConnections(server, places, (newcomer) => {
    tooMany.add(newcomer);
    newcomer.once('close', () => tooMany.delete(newcomer));
    if (tooMany.size > places.most / 10) tooMany.values().next().value?.destroy();
  });
  return (socket) => tooMany.has(socket);
}

/**
 * Closes each connection after its current response when the server closes, because a kept-alive connection could send
 * more requests.
 */
function endConnectionWhenClosing(server: Server, response: ServerResponse): void {
  if (!server.listening) response.setHeader('Connection', 'close');
  response.once('close', () => {
    if (!server.listening) setImmediate(() => server.closeIdleConnections());
  });
}

/** `close` ends idle connections at once; others end after their response or at the deadline. */
async function drain(server: Server, inFlight: InFlight): Promise<void> {
  const impatience = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await once(server.close(), 'close');
  clearTimeout(impatience);
  await inFlight.ended(DRAIN_MS);
}

function unreadable(message: string): ServiceError {
  return new ServiceError('malformed_request', message);
}

/**
 * Responds to requests that never reach the middleware (not HTTP, or too large) with the usual error body and a request
 * ID.
 */
function refuse(socket: Duplex, refusal: ServiceError): void {
  if (!socket.writable) return void socket.destroy();
  const requestId = uuidv7();
  const { status, headers = {}, body: said } = errorAnswer(refusal, requestId);
  const body = JSON.stringify(said);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `X-Request-Id: ${requestId}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Content-Type: application/json; charset=utf-8',
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-store',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  const lingering = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(lingering));
}
