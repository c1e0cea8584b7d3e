import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenUntilDisposed } from '../../adapters/connections/listen-until-disposed.ts';

/** Stands before the service as a later version of it, whose answers have a field more at every place. */
export async function startLaterVersion(serviceUrl: string): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((request, response) => void passOn(serviceUrl, request, response));
  const listening = await listenUntilDisposed(server);
  return { ...listening, url: `http://127.0.0.1:${listening.port}` };
}

/** The JSON with a field more in every object. */
export function withLaterFields(json: string): string {
  return JSON.stringify(grown(JSON.parse(json)));
}

async function passOn(serviceUrl: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url = '', headers } = request;
  const sent = await buffer(request);
  const passed = ['authorization', 'content-type', 'idempotency-key'].flatMap((name) => {
    const value = headers[name]?.toString();
    return value === undefined ? [] : [[name, value] as [string, string]];
  });
  const body = sent.length > 0 ? { body: new Uint8Array(sent) } : {};
  const answer = await fetch(serviceUrl + url, { method, headers: passed, ...body });
  const text = await answer.text();
  const type = answer.headers.get('content-type') ?? 'text/plain';
  response
    .writeHead(answer.status, { 'content-type': type })
    .end(type.startsWith('application/json') ? withLaterFields(text) : text);
}

function grown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(grown);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, grown(member)]);
  return { ...Object.fromEntries(members), laterField: 'of a later version' };
}
