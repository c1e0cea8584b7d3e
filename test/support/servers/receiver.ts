import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions, type TLSSocket } from 'node:tls';
import type { ServerIdentity } from './certificates.ts';

/** One request as the receiver got it. */
export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The raw body, as the signature covers it. */
  body: string;
  receivedAt: Date;
  /** 1 for the first connection that the receiver accepted; kept-alive requests share it. */
  connection: number;
}

/** How the receiver answers one request. */
export type Behaviour = (response: ServerResponse, request: ReceivedRequest) => void;

/** A clinic's HTTPS receiver on loopback. */
export interface Receiver {
  port: number;
  /** `https://localhost:<port>/hook` by default. */
  url(path?: string, host?: string): string;
  /** Everything received so far, in order of arrival. */
  requests: readonly ReceivedRequest[];
  /** The next requests get these, one each; later ones are answered as before. */
  script(...behaviours: Behaviour[]): void;
  /** How requests without a script are answered; 200 by default. */
  otherwise(behaviour: Behaviour): void;
  /** Waits until at least this many requests have arrived, then returns them all. */
  received(count: number): Promise<readonly ReceivedRequest[]>;
  /** Shows another certificate to every later connection. */
  present(identity: ServerIdentity): void;
  close(): Promise<void>;
}

export interface ReceiverOptions {
  tls?: TlsOptions;
  port?: number;
  /** 127.0.0.1 by default. */
  host?: string;
}

/** @param identity from an authority that workers trust: `createTestAuthority` */
export async function startReceiver(
  identity: ServerIdentity,
  options: ReceiverOptions = {},
): Promise<Receiver> {
  const log = createRequestLog();
  const scripted: Behaviour[] = [];
  let usual: Behaviour = answerWith(200);
  const server = createServer({ ...identity, ...options.tls }, (request, response) => {
    // An interrupted request was not received.
    void log.record(request).then(
      (received) => (scripted.shift() ?? usual)(response, received),
      () => response.destroy(),
    );
  });
  const port = await listen(server, options);
  return {
    port,
    url: (path = '/hook', host = 'localhost') => `https://${host}:${port}${path}`,
    requests: log.requests,
    script: (...behaviours) => void scripted.push(...behaviours),
    otherwise: (behaviour) => void (usual = behaviour),
    received: log.received,
    present: (next) => server.setSecureContext(next),
    close: () => closeServer(server),
  };
}

/** A TLS server that sends whatever the test wants: not HTTP, or broken HTTP. */
export async function startTlsServer(
  identity: ServerIdentity,
  onConnection: (socket: TLSSocket) => void,
  options: ReceiverOptions = {},
): Promise<{ port: number; url: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createTlsServer({ ...identity, ...options.tls }, (socket) => {
    socket.on('error', () => socket.destroy());
    onConnection(socket);
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const port = await listen(server, options);
  const close = async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    await once(server, 'close');
  };
  return { port, url: `https://localhost:${port}/hook`, close };
}

export function answerWith(status: number, body = '', headers: Record<string, string> = {}): Behaviour {
  return (response) => void response.writeHead(status, headers).end(body);
}

/** Takes the request and never answers. */
export function neverAnswer(): Behaviour {
  return () => undefined;
}

/** Sends the status and headers, then nothing more. */
export function hangAfterHeaders(status: number): Behaviour {
  return (response) => response.writeHead(status).flushHeaders();
}

/** Sends a piece of body at every interval until the connection ends. */
export function drip(status: number, everyMs: number): Behaviour {
  return (response) => {
    response.writeHead(status);
    const timer = setInterval(() => response.write('.'), everyMs);
    response.once('close', () => clearInterval(timer));
  };
}

/** Sends as much of the body as the connection takes before it is closed, `megabytes` at most. */
export function flood(status: number, megabytes: number, headers: Record<string, string> = {}): Behaviour {
  return (response) => {
    const piece = Buffer.alloc(1024 * 1024, 'x');
    let left = megabytes;
    response.writeHead(status, headers);
    const pour = () => {
      while (left > 0 && !response.destroyed) {
        left -= 1;
        if (!response.write(piece)) return void response.once('drain', pour);
      }
      response.end();
      return undefined;
    };
    pour();
  };
}

/** Promises a long body and closes the connection after its beginning. */
export function closeMidBody(status: number): Behaviour {
  return (response) => {
    response.writeHead(status, { 'Content-Length': '1000' });
    response.write('the beginning', () => response.destroy());
  };
}

/** Closes the connection without a word. */
export function closeWithoutAnswer(): Behaviour {
  return (response) => void response.destroy();
}

function createRequestLog() {
  const requests: ReceivedRequest[] = [];
  const connections = new Map<Socket, number>();
  const waiting: { count: number; resolve: () => void }[] = [];
  const connectionOf = (socket: Socket) => {
    const number = connections.get(socket) ?? connections.size + 1;
    connections.set(socket, number);
    return number;
  };
  return {
    requests,
    async record(request: IncomingMessage): Promise<ReceivedRequest> {
      const connection = connectionOf(request.socket);
      const received = await readRequest(request, connection);
      requests.push(received);
      for (const waiter of waiting) if (requests.length >= waiter.count) waiter.resolve();
      return received;
    },
    async received(count: number): Promise<readonly ReceivedRequest[]> {
      if (requests.length < count) await new Promise<void>((resolve) => waiting.push({ count, resolve }));
      return requests;
    },
  };
}

async function readRequest(request: IncomingMessage, connection: number): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    body: Buffer.concat(chunks).toString('utf8'),
    receivedAt: new Date(),
    connection,
  };
}

async function listen(
  server: Server | ReturnType<typeof createTlsServer>,
  { port = 0, host = '127.0.0.1' }: ReceiverOptions,
): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function closeServer(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}
