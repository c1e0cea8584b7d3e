import { checkAgainstDocument } from '../support/openapi-check.ts';
import type { ApiAnswer, ApiClient } from '../support/api-client.ts';
import type { TestApi } from '../support/servers/api-server.ts';
import { aClinic, aKey } from '../support/clinic.ts';
import { openDatabaseAt } from '../support/database.ts';

export const MEGABYTE = 1024 * 1024;

/** Bytes whose place in the whole can be told. */
export const AUDIO = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251));

export function uploadTo(
  client: ApiClient,
  callId: string,
  options: { audio?: Buffer | ReadableStream; contentType?: string; replace?: boolean } = {},
): Promise<ApiAnswer> {
  const { audio = AUDIO, contentType = 'audio/wav', replace } = options;
  return client.send('PUT', `/v1/calls/${callId}/recording`, {
    rawBody: audio instanceof ReadableStream ? audio : new Uint8Array(audio),
    headers: { 'content-type': contentType },
    ...(replace && { query: { replace: 'true' } }),
  });
}

/** Different pieces; `seen` is called for each one that is read. */
export function audioOf(bytes: number, seen: (piece: Uint8Array) => void = () => undefined): ReadableStream {
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      const piece = new Uint8Array(Math.min(MEGABYTE, bytes - sent)).fill(sent / MEGABYTE);
      sent += piece.length;
      if (piece.length === 0) return controller.close();
      seen(piece);
      controller.enqueue(piece);
    },
  });
}

export async function linkTo(client: ApiClient, callId: string): Promise<string> {
  const { body } = await client.get(`/v1/calls/${callId}/recording`);
  return String(body['url']);
}

/** Opens a link as a player would, without a key; redirects are not followed. */
export async function open(
  api: Pick<TestApi, 'url'>,
  link: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number; headers: Headers; audio: Buffer }> {
  const { pathname, search } = new URL(link);
  const answer = await fetch(`${api.url}${pathname}${search}`, { method, headers, redirect: 'manual' });
  const audio = Buffer.from(await answer.arrayBuffer());
  const isJson = answer.headers.get('content-type')?.startsWith('application/json');
  const text = audio.toString('latin1');
  checkAgainstDocument({
    method: 'GET',
    path: pathname,
    status: answer.status,
    headers: answer.headers,
    body: isJson ? JSON.parse(text) : bodyFor(answer.status, method, text),
  });
  return { status: answer.status, headers: answer.headers, audio };
}

/** A HEAD answer stands for one with a body. */
function bodyFor(status: number, method: string, text: string): string | undefined {
  if (method === 'HEAD' && status < 300) return 'audio';
  return text === '' ? undefined : text;
}

/** A key with every scope, of a clinic of its own, for an API that runs as a process. */
export async function aClinicsKey(databaseUrl: string): Promise<string> {
  await using database = await openDatabaseAt(databaseUrl);
  const { tenantId } = await aClinic(database);
  return aKey(database, tenantId);
}
