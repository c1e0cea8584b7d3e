import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import { uuidv7 } from 'uuidv7';
import { ServiceError } from '../domain/service-error.ts';
import type { RequestState } from './middleware/request-state.ts';
import { errorAnswer } from './middleware/answering/translate-errors.ts';

/** How long requests under way may go on once the server closes. */
const DRAIN_MS = 10_000;

/** 200 MB at half a megabit a second. A sender who falls silent is given up long before. */
const LONGEST_REQUEST_MS = 3_600_000;

/** Why Node could not read a request, where that helps its sender. Its own messages quote what was sent. */
const UNREADABLE: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The address and headers of the request are larger than 16 KiB.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
};

export interface RunningServer extends AsyncDisposable {
  /** Without a slash at the end. */
  url: string;
}

/** Starts to listen; disposing stops it, lets requests under way finish, and ends what has not finished in time. */
export async function startServer(
  app: Koa<RequestState>,
  { host, port }: { host: string; port: number },
): Promise<RunningServer> {
  const handle = app.callback();
  const answering = new WeakMap<Duplex, ServerResponse>();
  const server = createServer({ requestTimeout: LONGEST_REQUEST_MS, requireHostHeader: false });
  server.on('request', (request, response) => {
    answering.set(request.socket, response);
    endConnectionWhenClosing(server, response);
    if (lacksHost(request)) refuseUnreadable(request.socket, 'An HTTP/1.1 request needs a Host header.');
    else void handle(request, response);
  });
  // An expectation nobody knows may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (error, socket) => {
    // What is not a request any more must not be answered in the middle of another's answer.
    const answer = answering.get(socket);
    if (answer?.headersSent && !answer.writableFinished) socket.destroy();
    else refuseUnreadable(socket, UNREADABLE[codeOf(error)] ?? 'This is not a readable HTTP request.');
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen({ host, port }, resolve);
  await promise;
  const { address, family, port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`,
    [Symbol.asyncDispose]: () => drain(server),
  };
}

/** Without this a kept-alive connection would outlive its last answer, or bring one request after the other. */
function endConnectionWhenClosing(server: Server, response: ServerResponse): void {
  if (!server.listening) response.setHeader('Connection', 'close');
  response.once('close', () => {
    if (!server.listening) setImmediate(() => server.closeIdleConnections());
  });
}

/** `close` ends idle connections at once; the others end after their answers, or when patience does. */
async function drain(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const impatience = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  server.close(() => resolve());
  await promise;
  clearTimeout(impatience);
}

/** RFC 9112, section 3.2. Node would refuse it without a word. */
function lacksHost({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === '1.1' && headers.host === undefined;
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : '';
}

/** What is not even HTTP never reaches the middleware, yet gets the error body and a request id. */
function refuseUnreadable(socket: Duplex, message: string): void {
  if (!socket.writable) return void socket.destroy();
  const requestId = uuidv7();
  const refusal = new ServiceError('malformed_request', message);
  const body = JSON.stringify(errorAnswer(refusal, requestId).body);
  const head = [
    'HTTP/1.1 400 Bad Request',
    `X-Request-Id: ${requestId}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
