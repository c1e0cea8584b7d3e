import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type Koa from 'koa';
import { uuidv7 } from 'uuidv7';
import { ServiceError } from '../domain/service-error.ts';
import type { RequestState } from './middleware/request-state.ts';
import { errorAnswer } from './middleware/translate-errors.ts';

/** How long requests under way may go on once the server closes. */
const DRAIN_MS = 10_000;

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
  const server = createServer((request, response) => {
    endConnectionWhenClosing(server, response);
    void handle(request, response);
  });
  server.on('clientError', answerUnreadable);
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

/** What is not even HTTP never reaches the middleware, yet gets the error body and a request id. */
function answerUnreadable(_error: Error, socket: Socket): void {
  if (!socket.writable) return void socket.destroy();
  const requestId = uuidv7();
  const refusal = new ServiceError('malformed_request', 'This is not a readable HTTP request.');
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
