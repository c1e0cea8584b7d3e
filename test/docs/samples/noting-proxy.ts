import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenUntilDisposed } from '../../../adapters/connections/listen-until-disposed.ts';

/** One request of a sample, and how the service answered it. */
export interface Exchange {
  method: string;
  target: string;
  authorization: string | undefined;
  hasIdempotencyKey: boolean;
  contentType: string | undefined;
  /** The body, empty when there was none. */
  sent: string;
  status: number;
  answerType: string;
  answer: string;
}

/** Stands between a sample and the service, so that a test sees what passes. */
export interface NotingProxy extends AsyncDisposable {
  url: string;
  /** What has passed since it was asked last. */
  taken(): Exchange[];
}

export async function startNotingProxy(serviceUrl: string): Promise<NotingProxy> {
  let exchanges: Exchange[] = [];
  const server = createServer((request, response) => void answer(request, response));
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const exchange = await passOn(serviceUrl, request);
    // Before the sample has it, and may end.
    exchanges.push(exchange);
    response.writeHead(exchange.status, { 'content-type': exchange.answerType }).end(exchange.answer);
  };
  const listening = await listenUntilDisposed(server);
  return {
    ...listening,
    url: `http://127.0.0.1:${listening.port}`,
    taken() {
      const taken = exchanges;
      exchanges = [];
      return taken;
    },
  };
}

async function passOn(serviceUrl: string, request: IncomingMessage): Promise<Exchange> {
  const { method = '', url: target = '', headers } = request;
  const sent = await buffer(request);
  const { authorization, 'content-type': contentType } = headers;
  const idempotencyKey = headers['idempotency-key']?.toString();
  const answer = await fetch(serviceUrl + target, {
    method,
    headers: {
      ...(authorization !== undefined && { authorization }),
      ...(contentType !== undefined && { 'content-type': contentType }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    ...(sent.length > 0 && { body: new Uint8Array(sent) }),
  });
  return {
    method,
    target,
    authorization,
    hasIdempotencyKey: idempotencyKey !== undefined,
    contentType,
    sent: sent.toString('utf8'),
    status: answer.status,
    answerType: answer.headers.get('content-type') ?? 'text/plain',
    answer: await answer.text(),
  };
}
